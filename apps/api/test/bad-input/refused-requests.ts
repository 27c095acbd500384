import { describe, expect, it } from 'vitest';
import { KEYS } from '../api-rig.ts';
import { expectRefusal, type Refusal } from '../refusal.ts';

/** A request that must be rejected: the test title, the request, the error code, and the field that the error names. */
export type RefusedRequest = [title: string, send: () => Promise<Response>, code: string, param?: string | null];

/** An invalid request body: the test title, the body, and the field that the error names. */
export type InvalidBody = [title: string, body: unknown, param: string | null];

/** Carol's key does not allow any of the rigs' models. */
export const CAROL = { authorization: `Bearer ${KEYS.carol}` };

type ExpectError = (response: Response, refusal: Refusal) => Promise<void>;

export const expectOpenAiError: ExpectError = (response, refusal) =>
  expectRefusal(response, 'chat-completions', refusal);

export const expectResponsesError: ExpectError = (response, refusal) => expectRefusal(response, 'responses', refusal);

export const expectGoogleError: ExpectError = (response, refusal) =>
  expectRefusal(response, 'generative-content', refusal);

/** JSON bodies that no endpoint accepts. */
export const INVALID_JSON: readonly InvalidBody[] = [
  ['the JSON is truncated', '{"model":', null],
  ['the JSON is an array', '[]', null],
  ['the JSON is a string', '"a"', null],
  ['the JSON is a number', '5', null],
];

export function invalidRequests(
  post: (body: unknown) => Promise<Response>,
  bodies: readonly InvalidBody[],
): RefusedRequest[] {
  return bodies.map(([title, body, param]) => [title, () => post(body), 'invalid_request', param]);
}

/** Two requests: one without a key, one with an unknown key. */
export function unauthorizedRequests(
  call: (headers: Record<string, string>) => Promise<Response>,
  title = '',
): RefusedRequest[] {
  return [
    [`${title}the API key is missing`, () => call({}), 'invalid_api_key'],
    [`${title}the API key is unknown`, () => call({ authorization: 'Bearer sk-wrong' }), 'invalid_api_key'],
  ];
}

/** Registers one test for each request that must be rejected, grouped by response status. */
export function testRefusals(
  expectError: ExpectError,
  requests: Readonly<Record<number, readonly RefusedRequest[]>>,
): void {
  describe.each(Object.entries(requests))('%s', (status, rows) => {
    it.each(rows)('%s', async (_title, send, code, param = null) => {
      const response = await send();
      if (status === '401') expect(response.headers.get('www-authenticate')).toBe('Bearer');
      await expectError(response, { status: Number(status), code, param });
    });
  });
}
