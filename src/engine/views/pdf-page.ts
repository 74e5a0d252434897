import { pagePicture } from '../../ingest/prepare/prepare-pool.js';
import { StrataError } from '../../model/errors.js';
import type { Library } from '../library.js';
import { partsOf } from '../open-library.js';
import { readSource } from '../verify/read-source.js';
import { sourceState } from '../verify/stale.js';

export interface PdfPageRequest {
  readonly document: string;
  readonly page: number;
  readonly width: number;
  /** The passage to mark, as offsets of the document's text; nothing is marked where they are equal. */
  readonly start: number;
  readonly end: number;
}

export interface PdfPageAnswer {
  readonly page: number;
  readonly page_count: number;
  readonly width: number;
  readonly height: number;
  /** Base64. */
  readonly png: string;
  readonly boxes: readonly {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  }[];
}

/** A page of a document's PDF as its file is now, with the passage marked as the library knows it. */
export async function pdfPage(library: Library, request: PdfPageRequest): Promise<PdfPageAnswer> {
  const document = await library.find(request.document);
  if (document.metadata.format !== 'pdf')
    throw new StrataError('UNSUPPORTED', `${document.source_path} is no PDF: it has no pages to draw`);
  const state = await sourceState(partsOf(library), document);
  if (state === 'missing' || state === 'unknown') {
    throw new StrataError(
      'FILE_MISSING',
      `${document.source_path}: the file is not there any more (or not to be read here); its text is in the library`,
    );
  }
  const [bytes, content] = await Promise.all([
    readSource(library.root, document.source),
    partsOf(library).backend.content(document.id),
  ]);
  const passage = (content?.text ?? '').slice(request.start, request.end);
  const picture = await pagePicture({ bytes, page: request.page, width: request.width, passage });
  return { ...picture, png: Buffer.from(picture.png).toString('base64') };
}
