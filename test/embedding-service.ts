import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { onTestFinished } from 'vitest';

/** A service that speaks OpenAI's protocol, with small models whose vectors depend on a text's words alone. */
export interface EmbeddingService {
  readonly url: string;
  /** Every text that was embedded, in order. */
  readonly embedded: { readonly model: string; readonly text: string }[];
  /** How long embedding takes, in milliseconds a request. */
  delay: number;
  /** The environment a program needs to use it. */
  readonly env: Readonly<Record<string, string>>;
}

/** `small-24` has 24 dimensions, `large-40` has 40. */
export const dimensionsOf = (model: string): number => Number(/\d+$/.exec(model)![0]);

export async function embeddingService(): Promise<EmbeddingService> {
  const embedded: { model: string; text: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const piece of request) body += piece;
    const { model, input } = JSON.parse(body) as { model: string; input: readonly string[] };
    for (const text of input) if (text !== PROBE) embedded.push({ model, text });
    if (input[0] !== PROBE) await sleep(service.delay);
    const data = input.map((text, index) => ({ index, embedding: vectorOf(text, dimensionsOf(model)) }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const env = { OPENAI_BASE_URL: url, OPENAI_API_KEY: 'test', STRATA_EMBEDDER: '' };
  const service: EmbeddingService = { url, embedded, delay: 0, env };
  return service;
}

/** What the program sends to learn a model's dimensions. */
const PROBE = 'strata';

/** A text is the mean of its words, names (`subject12`) before all: texts that share some are near, in every model. */
export function vectorOf(text: string, dimensions: number): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    const weight = /\p{L}\d/u.test(word) ? 9 : 1;
    for (let d = 0; d < dimensions; d++) vector[d]! += weight * Math.sin(hash(word) * (d + 1) + dimensions);
  }
  const length = Math.hypot(...vector) || 1;
  return vector.map((value) => value / length);
}

function hash(word: string): number {
  let value = 7;
  for (const character of word) value = (value * 31 + character.codePointAt(0)!) % 65_521;
  return value;
}
