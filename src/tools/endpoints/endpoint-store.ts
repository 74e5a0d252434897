import { StrataError } from '../../model/errors.js';
import { isObject } from '../../model/json/json.js';
import { isListOf, isText } from '../../store/stored.js';
import { RecordKind } from '../record-kind.js';

/** A set of tools under one address: `/mcp/<name>`. */
export interface Endpoint {
  readonly name: string;
  /** What its agents are told it is for. */
  readonly description: string;
  readonly tools: readonly BoundTool[];
  readonly created_at: string;
}

/** By its minted id, too: a tool that is made later under the same name is not bound. */
export interface BoundTool {
  readonly name: string;
  readonly id: string;
}

/** It stands in an address. */
const NAME = /^[a-z0-9][a-z0-9_-]{0,63}$/;

export function checkEndpointName(name: string): void {
  if (NAME.test(name)) return;
  throw new StrataError(
    'INVALID_ARGUMENT',
    'name: an endpoint’s name is a to z, digits, "_" and "-", at most 64 of them',
  );
}

const isBoundTool = (value: unknown): value is BoundTool =>
  isObject(value) && isText(value.name) && isText(value.id);

const isEndpoint = (value: unknown): value is Endpoint =>
  isObject(value) &&
  isText(value.name) &&
  NAME.test(value.name) &&
  isText(value.description) &&
  isText(value.created_at) &&
  isListOf(value.tools, isBoundTool);

export const ENDPOINTS = new RecordKind<Endpoint>('endpoint', isEndpoint, ({ name }) => name);
