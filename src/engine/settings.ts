import { isEmbedderSpec } from '../embed/spec.js';
import { OCR_MODES, type OcrMode } from '../ingest/add-options.js';
import type { ChunkingOptions } from '../ingest/chunking.js';
import { isObject, type JsonObject } from '../model/json/json.js';
import type { Backend } from '../store/backend.js';

/** What a library remembers: how to cut, by which model to embed, which pictures to read. Kept as one record. */
const KIND = 'settings';
const ID = 'library';

export interface KeptSettings {
  readonly chunking: ChunkingOptions;
  readonly embedder?: string;
  readonly ocr?: OcrMode;
}

export async function keptSettings(backend: Backend): Promise<KeptSettings> {
  const value = await backend.record(KIND, ID);
  const kept = isObject(value) ? value : {};
  const { strategy, max, min, overlap, embedder } = kept;
  const ocr = OCR_MODES.find((mode) => mode === kept.ocr);
  return {
    chunking: {
      ...(typeof strategy === 'string' && { strategy }),
      ...(typeof max === 'number' && { max }),
      ...(typeof min === 'number' && { min }),
      ...(typeof overlap === 'number' && { overlap }),
    },
    ...(typeof embedder === 'string' && isEmbedderSpec(embedder) && { embedder }),
    ...(ocr !== undefined && { ocr }),
  };
}

export async function keepSettings(backend: Backend, settings: KeptSettings): Promise<void> {
  const { strategy, max, min, overlap } = settings.chunking;
  const value: JsonObject = {
    ...(strategy !== undefined && { strategy }),
    ...(max !== undefined && { max }),
    ...(min !== undefined && { min }),
    ...(overlap !== undefined && { overlap }),
    ...(settings.embedder !== undefined && { embedder: settings.embedder }),
    ...(settings.ocr !== undefined && { ocr: settings.ocr }),
  };
  await backend.commit({ records: [{ kind: KIND, id: ID, value }] });
}
