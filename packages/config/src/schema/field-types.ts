import { z } from 'zod';

/**
 * A section whose fields have defaults. `prefault`, unlike `default`, parses an absent section as `{}`, which fills in
 * the fields' defaults.
 */
export function section<S extends z.core.$ZodLooseShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>>;
export function section(shape: z.core.$ZodLooseShape) {
  return z.strictObject(shape).prefault({});
}

/** An integer of at least 1: milliseconds, bytes, or a count. */
export const positive = (value: number) => z.int().min(1).default(value);

/** Timer duration in milliseconds. Above this maximum, Node fires a timer after 1 ms. */
export const timerMs = (value: number) => positiveUpTo(2 ** 31 - 1).default(value);

export const positiveUpTo = (max: number) => z.int().min(1).max(max);

export const optionalCount = () => z.int().min(1).optional();

export const optionalText = () => z.string().min(1).optional();

export const flag = () => z.boolean().default(false);

export const httpUrl = () => z.url({ protocol: /^https?$/ });

export const secretText = (minLength: number) => z.string().min(minLength, `must be at least ${minLength} characters`);
