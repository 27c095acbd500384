import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { parseJson } from '../../schema/json.ts';
import { requestError } from './fal-error.ts';

/** fal docs, FAQ: files are "available for at least 7 days by default". */
const DEFAULT_LIFE_S = 7 * 24 * 3600;
/** The lifetime of files that never expire. */
const ENDLESS_S = 100 * 365 * 24 * 3600;

const Lifecycle = z.looseObject({ expiration_duration_seconds: z.int().positive().nullish() });

function refuse(name: string): never {
  // fal docs, "Request Error Types", for malformed requests: "e.g., invalid timeout header".
  throw requestError(400, 'bad_request', `Invalid ${name} header`);
}

/**
 * @returns the lifetime of the files, in seconds.
 * @throws WireError 400 for an invalid header.
 */
export function readLifeSeconds(headers: IncomingHttpHeaders): number {
  const { 'x-fal-request-timeout': timeout, 'x-fal-queue-priority': priority } = headers;
  // "The timeout value is in seconds and must be at least 1 second" (fal docs, "Start Timeout").
  if (timeout !== undefined && !(Number(timeout) >= 1)) refuse('X-Fal-Request-Timeout');
  if (priority !== undefined && priority !== 'low' && priority !== 'normal') refuse('X-Fal-Queue-Priority');
  const preference = headers['x-fal-object-lifecycle-preference'];
  if (preference === undefined) return DEFAULT_LIFE_S;
  const read = Lifecycle.safeParse(typeof preference === 'string' ? parseJson(preference) : undefined);
  if (!read.success) refuse('X-Fal-Object-Lifecycle-Preference');
  const { expiration_duration_seconds: seconds = DEFAULT_LIFE_S } = read.data;
  return seconds ?? ENDLESS_S;
}
