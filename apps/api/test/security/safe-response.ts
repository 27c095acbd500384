import { ERROR_STATUS } from '@sluice/canonical';
import { ENDPOINTS, type Endpoint } from '@sluice/protocols';
import { expect } from 'vitest';
import type { z } from 'zod';
import { KEYS } from '../api-rig.ts';
import { ADMIN_KEY } from './full-rig.ts';

/** A response and its body. */
export interface ReadResponse {
  status: number;
  headers: Headers;
  body: string;
}

/** All statuses documented in docs/use/errors.md, except 500. */
const REPORTED_FAILURES = new Set<number>(Object.values(ERROR_STATUS).filter((status) => status > 500));

/** Must never appear in a response: credentials, local paths, and stack traces. */
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
 * Checks that a response contains no internal error and no secret. An error must have the called protocol's format.
 * @param endpoint if undefined, the format for unknown paths is expected
 */
export function expectSafeResponse(
  title: string,
  { status, headers, body }: ReadResponse,
  endpoint?: Pick<Endpoint, 'protocol'>,
): void {
  const seen = `${title}: ${status} ${body.slice(0, 300)}`;
  expect(status === 500 || (status > 500 && !REPORTED_FAILURES.has(status)), seen).toBe(false);
  const sent = JSON.stringify([...headers]) + body;
  for (const secret of NEVER) {
    expect(typeof secret === 'string' ? sent.includes(secret) : secret.test(sent), `${secret} in ${seen}`).toBe(false);
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
  if (!found) throw new Error('no endpoint of the videos protocol');
  return found;
}

export async function readResponse(response: Response): Promise<ReadResponse> {
  return { status: response.status, headers: response.headers, body: await response.text() };
}
