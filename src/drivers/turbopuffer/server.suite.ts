import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync, gzipSync } from 'node:zlib';

/**
 * turbopuffer as its documentation describes it (2026-11), as far as a copy of vectors needs it, and strict: a field or a
 * type that is not documented is answered with 400 and noted in `violations`. Nearest is by exact search. The service
 * itself could not be reached where this was written.
 */
export interface FakeTurbopuffer {
  readonly url: string;
  readonly env: Readonly<Record<string, string>>;
  readonly namespaces: Map<string, FakeNamespace>;
  readonly violations: string[];
  /** Of each request that was answered with 2xx. */
  readonly requests: {
    readonly kind: string;
    readonly rows: number;
    readonly gzip: boolean;
    readonly text: string;
  }[];
  /** What the next requests get instead of an answer. */
  readonly faults: Fault[];
  delay: number;
  close(): Promise<void>;
}

export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Answer in the client's name, but after the work was done: the answer is lost. */
  readonly after?: boolean;
}

export interface FakeNamespace {
  readonly rows: Map<string, Row>;
  dimensions: number;
  metric: string;
  schema: Record<string, { type: string; filterable: boolean }>;
}

type Row = Readonly<Record<string, unknown>> & { readonly id: string; readonly vector: readonly number[] };

export const KEY = 'tpuf_test_key_0123456789';

export async function fakeTurbopuffer(): Promise<FakeTurbopuffer> {
  const fake: Omit<FakeTurbopuffer, 'url' | 'env' | 'close'> = {
    namespaces: new Map(),
    violations: [],
    requests: [],
    faults: [],
    delay: 0,
  };
  const server = createServer((request, response) => void answer(fake, request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(fake, {
    url,
    env: { TURBOPUFFER_API_KEY: KEY, TURBOPUFFER_BASE_URL: url, TURBOPUFFER_REGION: '' },
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

async function answer(
  fake: Omit<FakeTurbopuffer, 'url' | 'env' | 'close'>,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const send = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void => {
    const text = Buffer.from(JSON.stringify(body));
    const gzip = /gzip/.test(String(request.headers['accept-encoding']));
    response.writeHead(status, {
      'content-type': 'application/json',
      ...(gzip && { 'content-encoding': 'gzip' }),
      ...headers,
    });
    response.end(gzip ? gzipSync(text) : text);
  };
  const fault = fake.faults.shift();
  if (fake.delay > 0) await sleep(fake.delay);
  if (fault && !fault.after)
    return send(fault.status, { error: `fault ${fault.status}`, status: 'error' }, fault.headers);
  try {
    const raw = Buffer.concat(pieces);
    const gzip = request.headers['content-encoding'] === 'gzip';
    const text = raw.length === 0 ? '' : (gzip ? gunzipSync(raw) : raw).toString('utf8');
    const done = handle(fake, request, text);
    fake.requests.push({ kind: done.kind, rows: done.rows, gzip, text });
    if (fault) return send(fault.status, { error: `fault ${fault.status}`, status: 'error' }, fault.headers);
    send(200, done.body);
  } catch (error) {
    const status = error instanceof Refused ? error.status : 500;
    if (status === 400 || status === 500) fake.violations.push((error as Error).message);
    send(status, { error: (error as Error).message, status: 'error' });
  }
}

function handle(fake: Pick<FakeTurbopuffer, 'namespaces'>, request: IncomingMessage, text: string) {
  if (request.headers.authorization !== `Bearer ${KEY}`) throw new Refused(401, 'invalid API key');
  const [, name = '', rest = ''] = /^\/v2\/namespaces\/([^/?]+)(\/[a-z_]+)?$/.exec(request.url ?? '') ?? [];
  if (!/^[A-Za-z0-9._-]{1,128}$/.test(name))
    throw new Refused(400, `no such route or namespace: ${request.url}`);
  if (request.method === 'DELETE' && rest === '') {
    if (!fake.namespaces.delete(name)) throw new Refused(404, `namespace ${name} was not found`);
    return { kind: 'delete_all', rows: 0, body: { status: 'OK' } };
  }
  if (request.method !== 'POST') throw new Refused(400, `${request.method} ${request.url}`);
  const body = object(JSON.parse(text), 'the body');
  if (rest === '/query') return query(fake, name, body);
  if (rest === '') return write(fake, name, body);
  throw new Refused(400, `no such route: ${request.url}`);
}

type Fields = Readonly<Record<string, unknown>>;

function write({ namespaces }: Pick<FakeTurbopuffer, 'namespaces'>, name: string, body: Fields) {
  only(body, ['upsert_rows', 'deletes', 'delete_by_filter', 'distance_metric', 'schema'], 'write');
  const upserts = body.upsert_rows === undefined ? [] : list(body.upsert_rows, 'upsert_rows');
  const known = namespaces.get(name);
  if (known === undefined && upserts.length === 0) throw new Refused(404, `namespace ${name} was not found`);
  const space: FakeNamespace = known ?? { rows: new Map(), dimensions: 0, metric: '', schema: {} };
  if (body.schema !== undefined) readSchema(space, object(body.schema, 'schema'));
  if (body.distance_metric !== undefined) {
    if (!['cosine_distance', 'euclidean_squared'].includes(String(body.distance_metric)))
      throw new Refused(400, `distance_metric ${String(body.distance_metric)}`);
    if (space.metric !== '' && space.metric !== body.distance_metric)
      throw new Refused(400, 'distance_metric cannot be changed');
    space.metric = String(body.distance_metric);
  }
  if (upserts.length > 0 && space.metric === '')
    throw new Refused(400, 'distance_metric is required with vectors');
  const rows = upserts.map((row) => readRow(space, object(row, 'a row')));
  let affected = rows.length;
  if (body.delete_by_filter !== undefined) {
    const matches = filterOf(space, body.delete_by_filter);
    for (const row of [...space.rows.values()])
      if (matches(row)) affected += Number(space.rows.delete(row.id));
  }
  for (const row of rows) space.rows.set(row.id, row);
  for (const id of body.deletes === undefined ? [] : list(body.deletes, 'deletes'))
    affected += Number(space.rows.delete(idOf(id)));
  namespaces.set(name, space);
  const billing = { billable_logical_bytes_written: 0 };
  const done = { status: 'OK', message: 'done', rows_affected: affected, billing };
  return { kind: upserts.length > 0 ? 'upsert' : 'delete', rows: affected, body: done };
}

const TYPES =
  /^(?:string|int|uint|float|uuid|datetime|bool|\[\](?:string|int|uint|float|uuid|datetime|bool)|\[(\d+)\]f(?:16|32))$/;

function readSchema(space: FakeNamespace, schema: Fields): void {
  for (const [attribute, given] of Object.entries(schema)) {
    const config = typeof given === 'string' ? { type: given } : object(given, `schema of ${attribute}`);
    only(config, ['type', 'ann', 'filterable'], `schema of ${attribute}`);
    const found = TYPES.exec(String(config.type));
    if (!found) throw new Refused(400, `type ${String(config.type)} of ${attribute}`);
    const dimensions = Number(found[1] ?? 0);
    if (attribute === 'vector') {
      if (dimensions === 0 || config.ann !== true)
        throw new Refused(400, 'vector needs a [DIMS]f32 type and ann');
      if (space.dimensions !== 0 && space.dimensions !== dimensions)
        throw new Refused(
          400,
          `vector has ${space.dimensions} dimensions in this namespace, not ${dimensions}`,
        );
      space.dimensions = dimensions;
      continue;
    }
    const before = space.schema[attribute];
    if (before && before.type !== config.type)
      throw new Refused(400, `type of ${attribute} cannot be changed`);
    space.schema[attribute] = { type: String(config.type), filterable: config.filterable !== false };
  }
}

function readRow(space: FakeNamespace, row: Fields): Row {
  const { id, vector, ...attributes } = row;
  const numbers = list(vector, 'vector');
  if (
    numbers.length !== space.dimensions ||
    !numbers.every((one) => typeof one === 'number' && Number.isFinite(one))
  )
    throw new Refused(400, `a vector of ${numbers.length} numbers, not ${space.dimensions}`);
  for (const [name, value] of Object.entries(attributes)) {
    const schema = space.schema[name];
    if (schema === undefined) throw new Refused(400, `attribute ${name} is not in the schema`);
    const isRight =
      schema.type === 'string'
        ? typeof value === 'string'
        : schema.type === 'uint'
          ? Number.isSafeInteger(value) && Number(value) >= 0
          : false;
    if (!isRight) throw new Refused(400, `${name}: ${JSON.stringify(value)} is no ${schema.type}`);
    // What is filterable may have 4 KiB.
    if (schema.filterable && Buffer.byteLength(String(value)) > 4096)
      throw new Refused(400, `${name} is too long`);
  }
  return { ...attributes, id: idOf(id), vector: numbers as number[] };
}

function query({ namespaces }: Pick<FakeTurbopuffer, 'namespaces'>, name: string, body: Fields) {
  only(body, ['rank_by', 'top_k', 'filters', 'include_attributes'], 'query');
  const space = namespaces.get(name);
  if (space === undefined) throw new Refused(404, `namespace ${name} was not found`);
  const top = body.top_k;
  if (!Number.isInteger(top) || Number(top) < 1 || Number(top) > 10_000)
    throw new Refused(400, `top_k ${String(top)}`);
  const included = list(body.include_attributes ?? [], 'include_attributes').map(String);
  for (const attribute of included)
    if (!space.schema[attribute]) throw new Refused(400, `include_attributes: ${attribute} is unknown`);
  const matches = body.filters === undefined ? () => true : filterOf(space, body.filters);
  const found = [...space.rows.values()].filter(matches);
  const ranked = rank(space, list(body.rank_by, 'rank_by'), found).slice(0, Number(top));
  const rows = ranked.map(({ row, distance }) => ({
    id: row.id,
    ...(distance !== undefined && { $dist: distance }),
    ...Object.fromEntries(included.map((attribute) => [attribute, row[attribute]])),
  }));
  const billing = { billable_logical_bytes_queried: 0, billable_logical_bytes_returned: 0 };
  const performance = { cache_temperature: 'hot', server_total_ms: 1 };
  return { kind: 'query', rows: rows.length, body: { rows, billing, performance } };
}

function rank(space: FakeNamespace, by: readonly unknown[], rows: readonly Row[]) {
  const [attribute, how, value] = by;
  if (attribute === 'id' && how === 'asc' && by.length === 2)
    return [...rows].sort((a, b) => (a.id < b.id ? -1 : 1)).map((row) => ({ row, distance: undefined }));
  if (attribute !== 'vector' || how !== 'ANN' || by.length !== 3)
    throw new Refused(400, `rank_by ${JSON.stringify(by).slice(0, 80)}`);
  const asked = list(value, 'the vector of rank_by') as number[];
  if (asked.length !== space.dimensions) throw new Refused(400, `a query of ${asked.length} numbers`);
  return rows
    .map((row) => ({ row, distance: distanceOf(space.metric, asked, row.vector) }))
    .sort((a, b) => a.distance - b.distance);
}

function distanceOf(metric: string, a: readonly number[], b: readonly number[]): number {
  if (metric === 'euclidean_squared') return a.reduce((sum, value, at) => sum + (value - b[at]!) ** 2, 0);
  const dot = a.reduce((sum, value, at) => sum + value * b[at]!, 0);
  return 1 - dot / (Math.hypot(...a) * Math.hypot(...b) || 1);
}

function filterOf(space: FakeNamespace, given: unknown): (row: Row) => boolean {
  const parts = list(given, 'a filter');
  if (parts[0] === 'And' && parts.length === 2) {
    const all = list(parts[1], 'And').map((one) => filterOf(space, one));
    return (row) => all.every((matches) => matches(row));
  }
  const [attribute, how, value] = parts;
  if (parts.length !== 3 || typeof attribute !== 'string')
    throw new Refused(400, `filter ${JSON.stringify(given)}`);
  if (attribute !== 'id' && !space.schema[attribute]?.filterable)
    throw new Refused(400, `filter: ${attribute} is unknown or not filterable`);
  if (how === 'Eq' && typeof value === 'string') return (row) => row[attribute] === value;
  if (how === 'Gt' && typeof value === 'string') return (row) => String(row[attribute]) > value;
  if (how === 'In' && Array.isArray(value)) return (row) => value.includes(row[attribute]);
  throw new Refused(400, `filter ${JSON.stringify(given).slice(0, 200)}`);
}

function idOf(id: unknown): string {
  if (typeof id !== 'string' || Buffer.byteLength(id) > 64 || id === '')
    throw new Refused(400, `id ${JSON.stringify(id)}`);
  return id;
}

function only(given: Fields, known: readonly string[], what: string): void {
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length > 0) throw new Refused(400, `${what}: unknown ${unknown.join(', ')}`);
}

function object(value: unknown, what: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refused(400, `${what} is no object`);
  return value as Fields;
}

function list(value: unknown, what: string): readonly unknown[] {
  if (!Array.isArray(value)) throw new Refused(400, `${what} is no list`);
  return value;
}
