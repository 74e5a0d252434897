/** A PDF whose only page is this picture (a grey PNG of 4 bits without interlacing): a scan. */
export function picturePdf(png: Buffer): Buffer {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const pixels: Buffer[] = [];
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') pixels.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const data = Buffer.concat(pixels);
  const [w, h] = [width / 2, height / 2];
  const content = Buffer.from(`q ${w} 0 0 ${h} 0 0 cm /I Do Q`);
  const objects: [string, Buffer?][] = [
    ['<< /Type /Catalog /Pages 2 0 R >>'],
    ['<< /Type /Pages /Count 1 /Kids [3 0 R] >>'],
    [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${w} ${h}] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>`,
    ],
    [`<< /Length ${content.length} >>`, content],
    [
      `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /ColorSpace /DeviceGray /BitsPerComponent 4 ` +
        `/Filter /FlateDecode /DecodeParms << /Predictor 15 /Colors 1 /BitsPerComponent 4 /Columns ${width} >> /Length ${data.length} >>`,
      data,
    ],
  ];
  const parts = objects.map(([head, stream], at) =>
    Buffer.concat([
      Buffer.from(`${at + 1} 0 obj\n${head}\n`),
      ...(stream ? [Buffer.from('stream\n'), stream, Buffer.from('\nendstream\n')] : []),
      Buffer.from('endobj\n'),
    ]),
  );
  return Buffer.concat([
    Buffer.from('%PDF-1.7\n'),
    ...parts,
    Buffer.from('trailer\n<< /Root 1 0 R /Size 6 >>\n%%EOF\n'),
  ]);
}
