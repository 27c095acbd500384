import { isIP } from 'node:net';
import { z } from 'zod';

/**
 * Creates a section whose fields have defaults. Unlike `default`, `prefault` parses an absent section as `{}`, so that
 * the fields' defaults apply.
 */
export function section<S extends z.core.$ZodLooseShape>(shape: S): z.ZodPrefault<z.ZodObject<S, z.core.$strict>>;
export function section(shape: z.core.$ZodLooseShape) {
  return z.strictObject(shape).prefault({});
}

/** An integer of at least 1: milliseconds, bytes, or a count. */
export const positive = (value: number) => z.int().min(1).default(value);

/** A timer's duration in milliseconds. If it exceeded this maximum, Node would fire the timer after 1 ms. */
export const timerMs = (value: number) => positiveUpTo(2 ** 31 - 1).default(value);

export const positiveUpTo = (max: number) => z.int().min(1).max(max);

export const optionalCount = () => z.int().min(1).optional();

export const optionalText = () => z.string().min(1).optional();

export const flag = () => z.boolean().default(false);

export const httpUrl = () => z.url({ protocol: /^https?$/ });

export const secretText = (minLength: number) => z.string().min(minLength, `must be at least ${minLength} characters`);

/** Whether a text is an IP address, or a range in CIDR notation. The range of all addresses (`/0`) is not accepted. */
export function isAddressOrRange(text: string): boolean {
  const [, address = '', bits] = /^([^/]+)(?:\/([1-9]\d{0,2}))?$/.exec(text) ?? [];
  const version = isIP(address);
  return version !== 0 && !address.includes('%') && Number(bits ?? 1) <= (version === 4 ? 32 : 128);
}
