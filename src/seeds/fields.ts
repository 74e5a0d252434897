import { StrataError } from '../model/errors.js';
import { isObject, type Json, type JsonObject } from '../model/json/json.js';

/** What a caller of the seeds' entry points hands over is checked field by field, and refused by the field's name. */
export interface Check {
  readonly wants: string;
  readonly optional?: boolean;
  accepts(value: unknown): boolean;
}

export const text: Check = { wants: 'a string', accepts: (value) => typeof value === 'string' };
export const filled: Check = {
  wants: 'a string that is not empty',
  accepts: (value) => typeof value === 'string' && value !== '',
};
export const count: Check = {
  wants: 'a whole number of at least 0',
  accepts: (value) => Number.isSafeInteger(value) && Number(value) >= 0,
};
export const json: Check = {
  wants: 'an object of JSON',
  accepts: (value) => isObject(value) && isJson(value),
};
export const list: Check = { wants: 'a list', accepts: Array.isArray };
export const object: Check = { wants: 'an object', accepts: (value) => isObject(value) };

/** `what` names the thing in messages: "item.content must be a string". Fields beside those named are let through. */
export function checked<T>(value: unknown, what: string, fields: Readonly<Record<string, Check>>): T {
  if (!isObject(value)) return refuse(what, 'must be an object');
  for (const [name, { wants, accepts, optional }] of Object.entries(fields)) {
    if (value[name] === undefined && optional === true) continue;
    if (value[name] === undefined) refuse(`${what}.${name}`, 'is missing');
    if (!accepts(value[name])) refuse(`${what}.${name}`, `must be ${wants}`);
  }
  return value as T;
}

export function refuse(name: string, problem: string): never {
  throw new StrataError('INVALID_RECORD', `${name} ${problem}`);
}

function isJson(value: unknown): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) return value.every(isJson);
  return isObject(value) && Object.values(value).every(isJson);
}

/** A copy that shares nothing with the caller's object. */
export const copied = (value: JsonObject): JsonObject => structuredClone(value) as JsonObject;
