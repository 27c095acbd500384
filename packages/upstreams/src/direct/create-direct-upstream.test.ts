import { GatewayError, type Loss, UpstreamRefusalError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { readBody, type Responder, sendJson, startServer } from '../../test/local-server.ts';
import { mediaContext } from '../../test/media-context.ts';
import { UpstreamError } from '../http/upstream-error.ts';
import { createDirectUpstream, type DirectWire } from './create-direct-upstream.ts';
import { openAiRefusal } from './openai-refusal.ts';

interface Sum {
  sum: number;
}
const WIRE: DirectWire<number[], Sum> = {
  request: (numbers, { model, report }) => {
    if (numbers.length === 0) throw new GatewayError('unsupported_parameter', 'nothing to add');
    if (numbers.length > 2) report({ field: 'numbers', how: 'clamped' });
    return { path: '/sum', json: { model, numbers }, maxResponseBytes: 200 };
  },
  read: (body) => (typeof body === 'object' && body !== null && 'sum' in body ? { sum: Number(body.sum) } : undefined),
  refusal: openAiRefusal,
};

/** Sends a request to a mock vendor. `respond` defines the vendor's responses. */
async function callVendor(respond: Responder, numbers = [1, 2], signal = AbortSignal.timeout(5_000)) {
  await using server = await startServer(respond);
  await using context = mediaContext([]);
  const account = { kind: 'adder', base_url: `${server.origin}/v1?team=7`, headers: { 'x-own': 'yes' } };
  const losses: Loss[] = [];
  const capability = createDirectUpstream(account, context, { authorization: 'Bearer k' }, WIRE);
  const report = (loss: Loss) => void losses.push(loss);
  const pending = capability.call(numbers, { model: 'm', signal, report });
  const outcome = await pending.catch((error: unknown) => error);
  return { outcome, losses, requestCount: server.requests.length };
}

describe('createDirectUpstream', () => {
  it("sends one request below the base URL with the account's credential and headers", async () => {
    const seen: unknown[] = [];
    const { outcome, losses } = await callVendor(
      async (request, response) => {
        const { url, headers } = request;
        seen.push(url, headers.authorization, headers['x-own'], JSON.parse((await readBody(request)).toString()));
        sendJson(response, 200, { sum: 6 });
      },
      [1, 2, 3],
    );
    expect(seen).toEqual(['/v1/sum?team=7', 'Bearer k', 'yes', { model: 'm', numbers: [1, 2, 3] }]);
    expect(outcome).toEqual({ sum: 6 });
    expect(losses).toEqual([{ field: 'numbers', how: 'clamped' }]);
  });

  it('sends nothing for a request that the vendor cannot serve', async () => {
    const { outcome, requestCount } = await callVendor((_request, response) => sendJson(response, 200, { sum: 0 }), []);
    expect([outcome, requestCount]).toEqual([expect.objectContaining({ code: 'unsupported_parameter' }), 0]);
  });

  it.each([
    ['a refusal', 400, { error: { message: 'no such model', param: 'model' } }, 400, 'invalid_request'],
    ['a refusal that is not JSON', 502, 'bad gateway', 502, 'provider_error'],
    ['a response in an unknown format', 200, { total: 3 }, 502, 'provider_error'],
    ['an error with HTTP 200', 200, { error: { message: 'try later' } }, 200, 'provider_error'],
  ])('throws %s as a refusal', async (_what, status, body, expectedStatus, code) => {
    const { outcome } = await callVendor((_request, response) => sendJson(response, status, body));
    expect(outcome).toBeInstanceOf(UpstreamRefusalError);
    expect(outcome).toMatchObject({ status: expectedStatus, error: { code } });
  });

  it('passes network errors on and limits the size of a response', async () => {
    const broken = await callVendor((request) => request.socket.destroy());
    expect(broken.outcome).toEqual(expect.objectContaining({ name: 'UpstreamError', failure: 'reset', sent: 'maybe' }));
    const endless = await callVendor((_request, response) =>
      sendJson(response, 200, { sum: 1, rest: 'x'.repeat(500) }),
    );
    expect(endless.outcome).toEqual(expect.objectContaining({ failure: 'too_large' }));
    const aborted = await callVendor(() => undefined, [1], AbortSignal.timeout(50));
    expect(aborted.outcome).toBeInstanceOf(UpstreamError);
    expect(aborted.outcome).toMatchObject({ failure: 'aborted' });
  });
});
