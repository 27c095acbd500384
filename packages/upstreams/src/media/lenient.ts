import { z } from 'zod';

export const Text = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : text))
  .optional()
  .catch(undefined);

export const Numeric = z.number().optional().catch(undefined);

export const Tokens = z.int().nonnegative().optional().catch(undefined);

/** Of audio or video. A duration of more than a month is an error. */
export const Seconds = z.number().min(0).max(2_678_400).optional().catch(undefined);

export const Integer = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);

export const Flag = z.boolean().optional().catch(undefined);

/**
 * Parses a vendor's id as text. Numbers that JSON has rounded, and values that are not a single printable word, are
 * treated as absent, because such ids cannot be polled.
 */
export const Id = z
  .union([z.string(), z.int().transform(String)])
  .transform((id) => (/^[\x21-\x7e]{1,512}$/.test(id) && id !== '.' && id !== '..' ? id : undefined))
  .optional()
  .catch(undefined);

/** Parses an object with these fields and keeps all other fields. A value that is not an object becomes undefined. */
export function lenient<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.looseObject(shape).optional().catch(undefined);
}

export function list<S extends z.ZodType>(item: S) {
  return z.array(item).optional().catch(undefined);
}

/** Returns the value at a path of a response, unchanged. Returns undefined if the path does not exist. */
export function at(body: unknown, ...path: string[]): unknown {
  return path.reduce<unknown>(
    (value, name) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) && Object.hasOwn(value, name)
        ? Reflect.get(value, name)
        : undefined,
    body,
  );
}

/**
 * Whether a value is definitely empty: null, blank text, an empty object, or a list with only blank items. Returns
 * false for absent values and other types.
 * @param field the field to check if the items are objects
 */
export function isEmptyValue(value: unknown, field?: string): boolean {
  if (Array.isArray(value)) {
    return value.every((item) => isBlank(item) || (field !== undefined && isBlank(at(item, field))));
  }
  return isBlank(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}
