import { z } from 'zod';

/** @param what the time is, as the start of a sentence */
export const timeSchema = (what: string) => z.int().describe(`${what}, in Unix seconds.`);

/** @param ms Unix milliseconds */
export function unixSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
