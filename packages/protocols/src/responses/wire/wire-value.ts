import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';

/** A JSON object. */
export type Fields = Record<string, unknown>;

/** The value when it is a JSON object. */
export function asRecord(value: unknown): Fields | undefined {
  return isRecord(value) ? value : undefined;
}

/** The value when it is a text. */
export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The value when it is a number. */
export function asNumber(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}

/** The value when it is a list; else an empty one. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A text that must be there. @throws GatewayError `invalid_request` naming `param` */
export function requiredText(value: unknown, param: string): string {
  if (typeof value === 'string') return value;
  throw invalid(param, value === undefined || value === null ? 'is required' : 'must be a string');
}

/** A GatewayError `invalid_request` that says what is wrong with a field. */
export function invalid(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}
