import { GatewayError } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/** A request's field that is wrong, as every decoder of media tells it. */
export function invalidField(param: string, what: string): GatewayError {
  return new GatewayError('invalid_request', `${param} ${what}.`, { param });
}

/**
 * The fields of a body without nulls and empty texts, which form libraries send for what is unset.
 * What is no object is given back as it is, for a schema to refuse; no body at all has no fields.
 */
export function withoutBlanks(fields: unknown): unknown {
  if (fields === undefined || fields === null) return {};
  if (!isRecord(fields)) return fields;
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null && value !== ''));
}

/** Reads an object or list that a form carries as JSON text; whatever is no text stays as it is. */
export function parseJsonText(value: unknown, param: string): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw invalidField(param, 'must be valid JSON');
  }
}

/** The values of a field that may be given once or often: a list, `field[0]` and `field[1]` of a form, or one value. */
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
 * The fields of a media wish as a schema knows them: `metadata` out of its JSON text, and several pictures under `image`,
 * where OpenAI's SDKs put them, as `images`.
 */
export function unfoldFields(fields: unknown): unknown {
  const given = withoutBlanks(fields);
  if (!isRecord(given)) return given;
  const { image, images, metadata, ...rest } = given;
  const several = listOf(image);
  const isList = several.length !== 1 || several[0] !== image;
  if (image !== undefined && isList && images !== undefined) {
    throw invalidField('images', 'is given beside image: send all pictures in one of them');
  }
  return {
    ...rest,
    ...(metadata !== undefined && { metadata: parseJsonText(metadata, 'metadata') }),
    ...(image !== undefined && !isList && { image }),
    ...(image !== undefined && isList && { images: several }),
    ...(images !== undefined && { images: listOf(images) }),
  };
}
