import * as z from 'zod';
import { VERSION } from '../../model/version.js';
import { inputSchema, outputSchema } from '../schemas.js';
import type { Served } from './served.js';

/** The API as OpenAPI 3.1 describes it, made from what is served. */
export function openApi(served: Iterable<Served>): object {
  const paths: Record<string, object> = {};
  for (const operation of served) paths[`/api/v1/${operation.name}`] = { post: described(operation) };
  return {
    openapi: '3.1.0',
    info: {
      title: 'Strata',
      version: VERSION,
      description:
        'Long documents in, the exact passage out. Every operation is a POST with a JSON object. With `Accept: text/event-stream` it answers with `progress` events, then one `answer` or `error`.',
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, {}],
    paths: { ...paths, ...OTHERS },
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: ERROR },
    },
  };
}

const ERROR = {
  type: 'object',
  required: ['error'],
  properties: {
    error: {
      type: 'object',
      required: ['code', 'message'],
      properties: { code: { type: 'string' }, message: { type: 'string' } },
    },
  },
};

const failure = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
});

const FAILURES = {
  400: failure('What was given is wrong'),
  401: failure('A token is needed'),
  403: failure('This caller may not do that'),
  404: failure('No such thing'),
  429: failure('Too many requests; `Retry-After` says how many seconds to wait'),
};

const json = (schema: object) => ({ 'application/json': { schema } });
const plain = (schema: z.ZodType, io: 'input' | 'output'): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
};

const described = (operation: Served) => ({
  operationId: operation.name,
  summary: operation.summary,
  description: operation.description,
  'x-access': operation.access,
  requestBody: { required: true, content: json(plain(inputSchema(operation), 'input')) },
  responses: {
    200: {
      description: 'The answer',
      content: {
        ...json(plain(outputSchema(operation), 'output')),
        'text/event-stream': { schema: { type: 'string' } },
      },
    },
    ...FAILURES,
  },
});

const EVENTS = {
  200: { description: 'Events', content: { 'text/event-stream': { schema: { type: 'string' } } } },
};

/** What is no operation: bytes in, events out, and the way in. */
const OTHERS = {
  '/api/v1/events': {
    get: {
      operationId: 'events',
      summary: 'An event whenever the library changes: documents, passages, how many have vectors',
      responses: { ...EVENTS, 401: FAILURES[401] },
    },
  },
  '/api/v1/files/{name}': {
    put: {
      operationId: 'upload',
      summary: 'Add a file: its bytes are kept in `uploads` beside the library',
      'x-access': 'write',
      parameters: [{ name: 'name', in: 'path', required: true, schema: { type: 'string' } }],
      requestBody: { required: true, content: { 'application/octet-stream': {} } },
      responses: {
        200: { description: 'What became of it, as `add` answers', content: json({ type: 'object' }) },
        401: FAILURES[401],
        403: FAILURES[403],
        413: failure('The file is too large'),
      },
    },
  },
  '/api/v1/login': {
    post: {
      operationId: 'login',
      summary: 'A token for the code that `strata open` puts behind the address of its page; good once',
      security: [{}],
      requestBody: {
        required: true,
        content: json({ type: 'object', required: ['code'], properties: { code: { type: 'string' } } }),
      },
      responses: {
        200: {
          description: 'The token',
          content: json({ type: 'object', required: ['token'], properties: { token: { type: 'string' } } }),
        },
        401: FAILURES[401],
      },
    },
  },
} as const;
