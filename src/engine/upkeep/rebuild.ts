import type { ChunkSettings } from '../../chunk/settings.js';
import { chunkingKey, differs, mergedChunking, settingsOf } from '../../ingest/chunking.js';
import { Committer } from '../../ingest/committer.js';
import { allDocuments } from '../../ingest/known.js';
import { prepare } from '../../ingest/prepare/prepare.js';
import type { Document } from '../../model/document.js';
import { isStrataError, reasonOf, StrataError } from '../../model/errors.js';
import type { Section } from '../../model/section.js';
import type { Span, Tree, TreeSection } from '../../model/tree.js';
import type { Backend, DocumentContent, PackedWrite } from '../../store/backend.js';
import { packedHere } from '../../store/records.js';
import { packerOf } from '../drivers.js';
import type { RebuildOptions, RebuildReport } from '../library.js';
import { keepSettings, keptSettings } from '../settings.js';

/** Every document cut and indexed again from what the library keeps; no source is read. */
export async function rebuild(
  { backend }: { readonly backend: Backend },
  options: RebuildOptions,
): Promise<RebuildReport> {
  const kept = await keptSettings(backend);
  const chunking = mergedChunking(kept.chunking, options);
  const settings = settingsOf(chunking);
  if (differs(chunking, kept.chunking)) await keepSettings(backend, { ...kept, chunking });
  const { documents: total } = await backend.counts();
  const committer = new Committer(backend, () => {});
  const failed: RebuildReport['failed'][number][] = [];
  let documents = 0;
  for await (const document of allDocuments(backend)) {
    if (options.signal?.aborted) break;
    const { id, source_path } = document;
    const fail = (error: unknown): void => void failed.push({ id, source_path, reason: reasonOf(error) });
    try {
      const put = [await again(backend, document, settings)];
      await committer.add({ change: { put }, done: (error) => (error === null ? undefined : fail(error)) });
    } catch (error) {
      if (isStrataError(error) && error.code === 'STORE_FAILED') throw error;
      fail(error);
    }
    documents++;
    options.onProgress?.({ stage: 'Rebuilding', done: documents, total, item: source_path });
  }
  await committer.finish();
  const { kept: same, added, removed } = committer;
  return {
    documents: documents - failed.length,
    chunks: { kept: same, added, removed },
    failed,
    interrupted: options.signal?.aborted ?? false,
  };
}

async function again(backend: Backend, document: Document, settings: ChunkSettings): Promise<PackedWrite> {
  const [content, sections] = await Promise.all([
    backend.content(document.id),
    backend.sections(document.id),
  ]);
  if (!content) {
    throw new StrataError('STORE_DAMAGED', 'its text is missing; `strata add --force` reads it again');
  }
  const { id, source, source_path, title, updated_at, metadata } = document;
  const { write } = prepare(treeOf(document, sections, content), {
    doc_id: id,
    source,
    source_path,
    name: source_path,
    title,
    settings,
    updated_at,
    metadata: { ...metadata, strategy: settings.strategy, chunking: chunkingKey(settings) },
  });
  return packedHere(write, await packerOf(backend.driver));
}

/** The parser's tree again, from records. Only where a heading ends was not kept: it ends where its text begins. */
export function treeOf(document: Document, sections: readonly Section[], content: DocumentContent): Tree {
  const indexOf = new Map(sections.map(({ id }, index) => [id, index]));
  const firstBlock = new Map<number, number>();
  for (const { section, start } of content.blocks)
    if (!firstBlock.has(section)) firstBlock.set(section, start);
  const treeSections = sections.map((section, index): TreeSection => {
    const span = { start: section.start_position, end: section.end_position };
    return {
      title: section.title,
      level: section.level,
      parent: indexOf.get(section.parent_id) ?? -1,
      heading: headingOf(content.text, span, sections[index + 1]?.start_position, firstBlock.get(index)),
      span,
    };
  });
  return {
    format: typeof document.metadata.format === 'string' ? document.metadata.format : 'text',
    title: document.title,
    sections: treeSections,
    metadata: document.metadata.ocr === undefined ? {} : { ocr: document.metadata.ocr },
    warnings: [],
    ...content,
  };
}

function headingOf(text: string, span: Span, nextSection = span.end, firstBlock = span.end): Span {
  const limit = Math.max(span.start, Math.min(span.end, nextSection, firstBlock));
  return { start: span.start, end: span.start + text.slice(span.start, limit).trimEnd().length };
}
