import { GatewayError } from '@sluice/canonical';
import { videosProtocol } from '@sluice/protocols';
import Fastify from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sendError } from './send-error.ts';

const ERRORS: Record<string, GatewayError> = {
  busy: new GatewayError('rate_limited', 'Slow down.', { retryAfterMs: 1_500 }),
  away: new GatewayError('store_unavailable', 'Soon.'),
  maybe: new GatewayError('store_unavailable', 'It may be there.', { retryable: false, retryAfterMs: 1_000 }),
  bad: new GatewayError('invalid_request', 'No.', { param: 'size' }),
  key: new GatewayError('invalid_api_key', 'Who?'),
  broken: new GatewayError('internal_error', 'Oh.'),
};
const app = Fastify();
let origin: string;
beforeAll(async () => {
  app.get<{ Params: { name: string } }>('/:name', (request, reply) =>
    sendError(reply, ERRORS[request.params.name] ?? new GatewayError('not_found', ''), videosProtocol.encodeError),
  );
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

describe('sendError', () => {
  it.each([
    ['busy', 429, 'true', '1500', '2'],
    ['away', 503, 'true', '1000', '1'],
    ['maybe', 503, 'false', null, null],
    ['bad', 400, 'false', null, null],
    ['key', 401, 'false', null, null],
    ['broken', 500, 'false', null, null],
  ])('sends retry headers for %s (%d)', async (name, status, shouldRetry, ms, seconds) => {
    const { headers, status: got } = await fetch(`${origin}/${name}`);
    expect(got).toBe(status);
    expect(headers.get('x-should-retry')).toBe(shouldRetry);
    expect(headers.get('retry-after-ms')).toBe(ms);
    expect(headers.get('retry-after')).toBe(seconds);
  });

  it('uses the protocol’s error format', async () => {
    const response = await fetch(`${origin}/bad`);
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(await response.json()).toEqual({
      error: { message: 'No.', type: 'invalid_request_error', param: 'size', code: 'invalid_request' },
    });
  });
});
