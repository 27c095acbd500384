import { z } from 'zod';

/**
 * A section whose fields have defaults. `prefault`, not `default`: an absent section is parsed as an empty one, so that
 * the defaults of its fields are filled in.
 */
export function section<S extends z.core.$ZodLooseShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>>;
export function section(shape: z.core.$ZodLooseShape) {
  return z.strictObject(shape).prefault({});
}

/** An integer of at least 1: milliseconds, bytes, or a count. */
export const positive = (value: number) => z.int().min(1).default(value);

/** Milliseconds of a timer: Node fires a longer one after a millisecond. */
export const timerMs = (value: number) => positiveUpTo(2 ** 31 - 1).default(value);

export const positiveUpTo = (max: number) => z.int().min(1).max(max);

export const optionalCount = () => z.int().min(1).optional();

export const optionalText = () => z.string().min(1).optional();

export const flag = () => z.boolean().default(false);

export const httpUrl = () => z.url({ protocol: /^https?$/ });

export const secretText = (minLength: number) => z.string().min(minLength, `must be at least ${minLength} characters`);
