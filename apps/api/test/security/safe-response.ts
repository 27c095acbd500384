import { ERROR_STATUS } from '@sluice/canonical';
import { ENDPOINTS, type Endpoint } from '@sluice/protocols';
import { expect } from 'vitest';
import type { z } from 'zod';
import { KEYS } from '../api-rig.ts';
import { ADMIN_KEY } from './full-rig.ts';

/** What came back, however it was asked for. */
export interface ReadResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** Statuses of failures that docs/use/errors.md tells of; 500 is there as well, and is what must never be. */
const REPORTED_FAILURES = new Set<number>(Object.values(ERROR_STATUS).filter((status) => status > 500));

/** What no answer may hold: credentials, paths of the machine, pieces of a stack. */
const NEVER = [
  ...Object.values(KEYS),
  ADMIN_KEY,
  'sk-vendor',
  'a secret of the rig',
  'node_modules',
  'node:internal',
  '/apps/api/',
  process.cwd(),
  /\bat (?:async )?[\w.<>]+ \(/,
  /\b(?:TypeError|RangeError|SyntaxError|ZodError|ECONN\w+|ENOENT)\b/,
];

/**
 * Checks that an answer to something hostile is one that may be given: no unexpected failure, no secret, and an error in
 * the shape of the protocol that was called.
 * @param endpoint absent: the shape of whatever is no endpoint
 */
export function expectSafeResponse(
  what: string,
  { status, headers, body }: ReadResponse,
  endpoint?: Pick<Endpoint, 'protocol'>,
): void {
  const seen = `${what}: ${status} ${body.slice(0, 300)}`;
  expect(status === 500 || (status > 500 && !REPORTED_FAILURES.has(status)), seen).toBe(false);
  const told = JSON.stringify([...headers]) + body;
  for (const secret of NEVER) {
    expect(typeof secret === 'string' ? told.includes(secret) : secret.test(told), `${secret} in ${seen}`).toBe(false);
  }
  if (status < 400) return;
  expect(headers.get('x-should-retry'), seen).toMatch(/^(?:true|false)$/);
  expect(headers.get('x-request-id') ?? '', seen).not.toBe('');
  if (body === '') return;
  const schema: z.ZodType = (endpoint ?? videos()).protocol.errorSchema;
  const parsed = schema.safeParse(JSON.parse(body));
  expect(parsed.success, `${seen} ${parsed.error?.message ?? ''}`).toBe(true);
}

function videos(): Endpoint {
  const found = ENDPOINTS.find(({ protocol }) => protocol.name === 'videos');
  if (!found) throw new Error('there are videos');
  return found;
}

/** Reads a fetched answer to its end. */
export async function readResponse(response: Response): Promise<ReadResponse> {
  return { status: response.status, headers: response.headers, body: await response.text() };
}
