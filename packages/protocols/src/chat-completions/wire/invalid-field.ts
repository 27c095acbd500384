import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import type { JsonObject } from './json.ts';

/** A refusal that names a field by its path, as in `messages[0][content][1][image_url]`. */
export function invalidField(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}

/** The value as an object. @throws GatewayError `invalid_request` naming the path */
export function requireObject(value: unknown, param: string): JsonObject {
  if (isRecord(value)) return value;
  throw invalidField(param, value === undefined ? 'is required' : 'must be an object');
}

/** The value as text, which may be empty. @throws GatewayError `invalid_request` naming the path */
export function requireText(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw invalidField(param, value === undefined || value === null ? 'is required' : 'must be a string');
}

/** The value as text of at least one character. @throws GatewayError `invalid_request` naming the path */
export function requireName(value: unknown, param: string): string {
  const text = requireText(value, param);
  if (text === '') throw invalidField(param, 'must not be empty');
  return text;
}

/** The value as a list; none when it is absent. @throws GatewayError `invalid_request` naming the path */
export function optionalList(value: unknown, param: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalidField(param, 'must be an array');
}
