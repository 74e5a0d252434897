import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What a request asked, as the server saw it. */
export interface Asked {
  readonly path: string;
  readonly authorization: string | undefined;
  readonly body: {
    readonly model?: string;
    readonly input?: readonly string[];
    readonly dimensions?: number;
  };
}

export type Answer = (asked: Asked, response: ServerResponse) => void;

/** A real HTTP server whose answers a test chooses: one for each coming request, the last one for all others. */
export interface Service {
  readonly url: string;
  readonly asked: Asked[];
  answer(...answers: readonly Answer[]): void;
  close(): Promise<void>;
}

export async function startService(): Promise<Service> {
  let answers: Answer[] = [];
  const asked: Asked[] = [];
  const server: Server = createServer(async (request, response) => {
    const one = {
      path: request.url!,
      authorization: request.headers.authorization,
      body: await bodyOf(request),
    };
    asked.push(one);
    const answer = answers.length > 1 ? answers.shift()! : answers[0]!;
    answer(one, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (...next) => {
      answers = [...next];
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Asked['body']> {
  let text = '';
  for await (const piece of request) text += piece;
  return text === '' ? {} : JSON.parse(text);
}

export const json =
  (value: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Answer =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(value));
  };

/** A vector that depends on the text alone, not of unit length. */
export const vectorOf = (text: string, dimensions: number): number[] =>
  Array.from(
    { length: dimensions },
    (_, d) => Math.sin(text.length * 3 + text.charCodeAt(d % text.length) + d) + 2,
  );

export const hang: Answer = () => {};
export const cutShort: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
  response.write('{"data":[{"index":0,"embed');
  response.socket?.destroySoon();
};
export const notJson: Answer = (_, response) => {
  response.writeHead(200);
  response.end('{"data":[{"index":0,"embedding":[0.1,0.2');
};
export const hangUp: Answer = (_, response) => response.socket?.destroy();
