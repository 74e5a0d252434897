/**
 * Pixels without their last channel, transparency: what shines through is white, as paper is. `size` is the bytes of a
 * channel, of which the first counts.
 */
export function onPaper(pixels: Uint8Array, channels: number, size: number): Uint8Array {
  const count = pixels.length / channels / size;
  const out = new Uint8Array(count * (channels - 1));
  for (let pixel = 0, to = 0; pixel < count; pixel++) {
    const from = pixel * channels * size;
    const alpha = pixels[from + (channels - 1) * size]! / 255;
    for (let channel = 0; channel < channels - 1; channel++) {
      out[to++] = pixels[from + channel * size]! * alpha + 255 * (1 - alpha);
    }
  }
  return out;
}
