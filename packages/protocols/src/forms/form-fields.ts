import type { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { invalidField } from '../json/json-field.ts';
import { type JsonCounts, scanJson } from '../json/scan-json.ts';

/**
 * Removes nulls and empty strings, which form libraries send for unset fields. A missing body becomes an empty object;
 * the schema rejects any other value.
 */
export function withoutBlanks(fields: unknown): unknown {
  if (fields === undefined || fields === null) return {};
  if (!isRecord(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

/**
 * Parses an object that a form sends as JSON text. Returns any other value unchanged.
 * @throws GatewayError for invalid JSON, and the errors of {@link scanJson}
 */
export function parseJsonText(value: unknown, param: string, counts?: JsonCounts): unknown {
  if (typeof value !== 'string') return value;
  scanJson(Buffer.from(value), undefined, counts);
  try {
    return JSON.parse(value);
  } catch {
    throw invalidField(param, 'must be valid JSON');
  }
}

/**
 * Returns a field's values, which are sent as an array, as numbered fields (`field[0]`, `field[1]`), or as a single
 * value.
 */
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

/** Removes brackets: `image[]` and `image[0]` become `image`. */
export function baseName(field: string): string {
  return field.split('[', 1)[0] ?? field;
}

/**
 * Prepares the fields of a media request for its schema: parses `metadata`, and moves several images from `image`, where
 * OpenAI's SDKs send them, to `images`.
 */
export function prepareMediaFields(fields: unknown): unknown {
  const present = withoutBlanks(fields);
  if (!isRecord(present)) return present;
  const { image, images, metadata, ...rest } = present;
  const list = listOf(image);
  const isList = list.length !== 1 || list[0] !== image;
  if (image !== undefined && isList && images !== undefined) {
    throw combinedImages('images', 'image');
  }
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: parseJsonText(metadata, 'metadata') }),
    ...(image !== undefined && !isList && { image }),
    ...(image !== undefined && isList && { images: list }),
    ...(images !== undefined && { images: listOf(images) }),
  };
}

/** The error for images in two fields. */
export function combinedImages(param: string, other: string): GatewayError {
  return invalidField(param, `cannot be combined with ${other}. Send all images in one of them`);
}
