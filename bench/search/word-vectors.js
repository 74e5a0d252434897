// An embedder without a model, for measuring searches in libraries so large that a model would read them for days: a text's
// vector is the sum of fixed random vectors of its words. Its form is that of the default models: a Chinese half of 512
// dimensions and an English one of 384, weighed by how much of a text is Chinese (embed/local/pair.ts), and passages in
// parts.
import { join, readAsPair } from '../../dist/embed/local/pair.js';

const FIRST = 512;
const SECOND = 384;
/** So many words of a text count, spread evenly over it. */
const WORDS = 24;
const known = new Map();

/** Four bits of a random number each, from -7.5 to 7.5 in steps of one. */
function vectorOf(word, dimensions) {
  const key = `${dimensions} ${word}`;
  const before = known.get(key);
  if (before !== undefined) return before;
  let state = 2166136261;
  for (let i = 0; i < key.length; i++) state = Math.imul(state ^ key.charCodeAt(i), 16777619);
  const vector = new Float32Array(dimensions);
  for (let d = 0; d < dimensions; d++) {
    state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
    vector[d] = ((state >>> 12) & 15) - 7.5;
  }
  if (known.size > 60_000) known.clear();
  known.set(key, vector);
  return vector;
}

const wordsOf = (text) =>
  text.toLowerCase().match(/[\p{L}--[\p{Script=Han}]]{2,}|\p{Script=Han}{1,2}/gv) ?? [text];

function half(text, dimensions) {
  const words = wordsOf(text);
  const step = Math.max(1, words.length / WORDS);
  const sum = new Float32Array(dimensions);
  for (let at = 0; at < words.length; at += step) {
    const own = vectorOf(words[Math.floor(at)], dimensions);
    for (let d = 0; d < dimensions; d++) sum[d] += own[d];
  }
  return scaled(sum, 1 / (lengthOf(sum) || 1));
}

function lengthOf(vector) {
  let sum = 0;
  for (let d = 0; d < vector.length; d++) sum += vector[d] * vector[d];
  return Math.sqrt(sum);
}

function scaled(vector, by) {
  for (let d = 0; d < vector.length; d++) vector[d] *= by;
  return vector;
}

function read(text) {
  const reading = readAsPair(text);
  const second = reading.second === null ? null : half(reading.second.text, SECOND);
  return join(reading, half(reading.first.text, FIRST), second, FIRST + SECOND);
}

/** As long as the default models' parts: 80 Chinese characters or 560 letters. */
function partsOf(text) {
  const length = /\p{Script=Han}{2}/u.test(text) ? 80 : 560;
  const count = Math.max(1, Math.round(text.length / length));
  return Array.from({ length: count }, (_, at) =>
    text.slice(Math.floor((at * text.length) / count), Math.floor(((at + 1) * text.length) / count)),
  );
}

function readPassage(text) {
  const parts = partsOf(text).map(read);
  if (parts.length === 1) return { vector: parts[0] };
  const vector = new Float32Array(FIRST + SECOND);
  let length = 0;
  for (const part of parts) for (let d = 0; d < vector.length; d++) vector[d] += part[d] / parts.length;
  for (const part of parts) length += lengthOf(part) / parts.length;
  return { vector: scaled(vector, length / lengthOf(vector)), parts };
}

export const wordVectors = {
  id: 'word-vectors',
  dimensions: FIRST + SECOND,
  fingerprint: 'word-vectors-1',
  embed: async (texts) => texts.map(read),
  embedPassages: async (texts) => texts.map(readPassage),
  close: async () => {},
};
