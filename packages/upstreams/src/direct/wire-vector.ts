import { z } from 'zod';

/** The largest float32. Larger numbers would become infinite as float32. */
const LARGEST = 3.4028234663852886e38;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
const WIDTH = 4;

/** A nonempty vector of numbers. It is checked in a loop, because a response may contain millions of numbers. */
export const WireNumbers = z.custom<readonly number[]>(isNumbers);

export const WireVector = z.custom<readonly number[] | string>(
  (value) => isNumbers(value) || (typeof value === 'string' && isPacked(value)),
);

function isNumbers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  for (const number of value) if (typeof number !== 'number' || !isFloat(number)) return false;
  return true;
}

function isPacked(text: string): boolean {
  if (text === '' || !BASE64.test(text)) return false;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length === 0 || bytes.length % WIDTH !== 0) return false;
  for (let at = 0; at < bytes.length; at += WIDTH) if (!isFloat(bytes.readFloatLE(at))) return false;
  return true;
}

/** JSON has no NaN or infinity, but `JSON.parse` reads 1e999 as infinity. */
function isFloat(number: number): boolean {
  return Math.abs(number) <= LARGEST;
}
