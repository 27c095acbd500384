import { z } from 'zod';

/** Text, or nothing: what has another kind counts as not told. */
export const Text = z
  .string()
  .transform((text) => (text.trim() === '' ? undefined : text))
  .optional()
  .catch(undefined);

/** A number, or nothing. */
export const Numeric = z.number().optional().catch(undefined);

/** A count of tokens, or nothing: what cannot be one is not counted. */
export const Tokens = z.int().nonnegative().optional().catch(undefined);

/** A whole number, also from text, or nothing. */
export const Whole = z
  .union([
    z.int(),
    z
      .string()
      .regex(/^\d{1,9}$/)
      .transform(Number),
  ])
  .optional()
  .catch(undefined);

/** Yes or no, or nothing. */
export const Flag = z.boolean().optional().catch(undefined);

/**
 * A vendor's id as text. A number is taken only while JSON carries it exactly; what is no single word of visible
 * characters cannot be asked for again and counts as not told.
 */
export const Id = z
  .union([z.string(), z.int().transform(String)])
  .transform((id) => (/^[\x21-\x7e]{1,512}$/.test(id) && id !== '.' && id !== '..' ? id : undefined))
  .optional()
  .catch(undefined);

/** An object with these fields, others riding along; anything else reads as an object that tells nothing. */
export function lenient<S extends z.core.$ZodLooseShape>(shape: S) {
  return z.looseObject(shape).optional().catch(undefined);
}

/** A list, or nothing. */
export function list<S extends z.ZodType>(item: S) {
  return z.array(item).optional().catch(undefined);
}

/** What stands at a path of an answer, as it came; nothing where there is no such path. */
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
 * Whether a value of an answer says that there is nothing: null, empty text, an empty object, a list without items or of
 * such texts. What is absent or of another kind says nothing of the sort: the answer is not understood.
 * @param field of a list's items, where those are objects: that which says it
 */
export function saysNothing(value: unknown, field?: string): boolean {
  if (Array.isArray(value)) {
    return value.every((item) => isBlank(item) || (field !== undefined && isBlank(at(item, field))));
  }
  return isBlank(value) || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);
}

function isBlank(value: unknown): boolean {
  return value === null || (typeof value === 'string' && value.trim() === '');
}
