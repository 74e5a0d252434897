/** What a server calls the format, as the extension that a file of it would have. */
const EXTENSIONS: Readonly<Record<string, string>> = {
  'text/html': '.html',
  'application/xhtml+xml': '.xhtml',
  'application/pdf': '.pdf',
  'text/markdown': '.md',
  'text/x-markdown': '.md',
  'application/json': '.json',
  'application/ld+json': '.json',
  'application/x-ndjson': '.ndjson',
  'application/yaml': '.yaml',
  'text/yaml': '.yaml',
  'text/csv': '.csv',
  'text/tab-separated-values': '.tsv',
  'application/epub+zip': '.epub',
  'application/x-ipynb+json': '.ipynb',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': '.docx',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet': '.xlsx',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation': '.pptx',
};

/**
 * A file name for a page: its path's last part, with the extension its content type stands for. `text/plain` and the
 * like say less than the path does (`README.md` served as plain text).
 */
export function pageName(url: string, contentType: string): string {
  const { pathname, hostname } = new URL(url);
  const last = safeDecode(pathname.split('/').filter(Boolean).at(-1) ?? '');
  const name = last.replace(/[\\/\u0000-\u001f]/g, '_') || hostname;
  const extension = EXTENSIONS[contentType];
  if (extension === undefined)
    return contentType === 'text/plain' && !/\.\w{1,8}$/.test(last) ? `${name}.txt` : name;
  return name.toLowerCase().endsWith(extension) ? name : `${name}${extension}`;
}

function safeDecode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
