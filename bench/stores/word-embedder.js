// An embedder that costs nothing and is the same everywhere: each word is a fixed direction, a text their sum. It says
// little about quality; stores are compared with it, not models.
import { analyze } from '../../dist/text/analyze.js';

const DIMENSIONS = 384;
const directions = new Map();

function directionOf(term) {
  let known = directions.get(term);
  if (known === undefined) {
    let hash = 2166136261;
    for (let i = 0; i < term.length; i++) hash = Math.imul(hash ^ term.charCodeAt(i), 16777619);
    known = Int32Array.from({ length: 12 }, () => {
      hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + 374761393;
      return hash;
    });
    directions.set(term, known);
  }
  return known;
}

function vectorOf(text) {
  const vector = new Float32Array(DIMENSIONS);
  for (const { term } of analyze(text.slice(0, 2000)))
    for (const place of directionOf(term)) vector[(place >>> 1) % DIMENSIONS] += place & 1 ? 1 : -1;
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

export const wordEmbedder = {
  id: 'words',
  dimensions: DIMENSIONS,
  fingerprint: 'bench-words-384',
  embed: async (texts) => texts.map(vectorOf),
  close: async () => {},
};
