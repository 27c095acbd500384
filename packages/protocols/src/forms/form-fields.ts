import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/** The `invalid_request` error for one field. @param what follows the name, as in `must be a string` */
export function invalidField(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}

/**
 * Removes nulls and empty strings, which form libraries send for unset fields. A missing body becomes an empty object;
 * any
 * other value is left for the schema to reject.
 */
export function withoutBlanks(fields: unknown): unknown {
  if (fields === undefined || fields === null) return {};
  if (!isRecord(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

/** Parses an object or list that a form carries as JSON text. Other values are returned as they are. */
export function parseJsonText(value: unknown, param: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw invalidField(param, 'must be valid JSON');
  }
}

/** The values of a field that may repeat: a list, numbered fields `field[0]` and `field[1]`, or a single value. */
export function listOf(value: unknown): unknown[] {
  if (value === undefined) return [];
  if (Array.isArray(value)) return value;
  if (isRecord(value)) {
    const entries = Object.entries(value);
    const isNumbered = entries.length > 0 && entries.every(([name]) => /^\d{1,3}$/.test(name));
    if (isNumbered) return entries.toSorted(([one], [other]) => Number(one) - Number(other)).map(([, item]) => item);
  }
  return [value];
}

/** `image[]`, `image[0]` → `image`. */
export function baseName(field: string): string {
  return field.split('[', 1)[0] ?? field;
}

/**
 * Prepares the fields of a media request for its schema: parses `metadata`, and moves several images under `image`,
 * where
 * OpenAI's SDKs send them, to `images`.
 */
export function unfoldFields(fields: unknown): unknown {
  const given = withoutBlanks(fields);
  if (!isRecord(given)) return given;
  const { image, images, metadata, ...rest } = given;
  const several = listOf(image);
  const isList = several.length !== 1 || several[0] !== image;
  if (image !== undefined && isList && images !== undefined) {
    throw invalidField('images', 'cannot be combined with `image`: send all images in one of them');
  }
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: parseJsonText(metadata, 'metadata') }),
    ...(image !== undefined && !isList && { image }),
    ...(image !== undefined && isList && { images: several }),
    ...(images !== undefined && { images: listOf(images) }),
  };
}
