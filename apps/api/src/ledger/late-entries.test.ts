import { afterEach, describe, expect, it } from 'vitest';
import { ledgerEntries, waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { sendJson } from '../../test/text-rig.ts';
import { modelResponse, respondWith } from '../../test/vendor.ts';

const PATIENT = { timeout: 10_000 };
const PRICE = { price: { input: 1, output: 2 } };
const params = { input: 'hi', background: true, max_output_tokens: 500, user: 'u-1' };
/** The prompt `hi` is estimated at 5 tokens. */
const RESERVED = 5_000 + 2 * 500_000;

let rig: LimitsRig;
afterEach(() => rig.close());

const prefix = (): string => rig.rigs[0]?.tasks.prefix ?? '';

describe.each(['eve', 'ada'])('a background response of the key %s', (key) => {
  const clients = { eve: { labels: { team: 'core' } }, ada: { budget: { usd: 1 }, labels: { team: 'core' } } };
  const prices = { 'by-chat': PRICE, 'by-responses': PRICE };

  it('has one entry when it ends', async () => {
    const isDone = Promise.withResolvers<void>();
    const respond = respondWith('hello');
    rig = await limitsRig(clients, (request, response) => void isDone.promise.then(() => respond(request, response)), {
      prices,
    });
    await rig.startWorker();
    const reply = await rig.post(key, '/v1/responses', { ...params, model: 'by-chat' });
    await reply.text();
    await expect.poll(() => rig.upstream.requests.length, PATIENT).toBe(1);
    expect(await ledgerEntries(rig.redis, prefix())).toEqual([]);
    isDone.resolve();
    const [entry] = await waitForEntries(rig.redis, prefix(), 1);
    expect(entry).toMatchObject({
      requestId: reply.headers.get('x-request-id'),
      labels: { team: 'core' },
      endpoint: 'POST /v1/responses',
      upstream: 'chat-completions',
      status: 200,
      usage: { inputTokens: 3, outputTokens: 2 },
      costNanos: 7_000,
    });
  });

  it('has an entry for its reservation, and one for its later usage', async () => {
    const queued = modelResponse('resp_slow', '', { status: 'queued', output: [], usage: null });
    const usage = { input_tokens: 9, output_tokens: 900, total_tokens: 909 };
    rig = await limitsRig(
      clients,
      ({ path }, response) =>
        sendJson(
          response,
          200,
          path.endsWith('/responses') ? queued : modelResponse('resp_slow', 'at last', { usage }),
        ),
      { prices },
    );
    const reply = await rig.post(key, '/v1/responses', { ...params, model: 'by-responses' });
    await reply.text();
    const [first] = await waitForEntries(rig.redis, prefix(), 1);
    expect(first).toMatchObject({ usage: { inputTokens: 5, outputTokens: 500 }, costNanos: RESERVED });
    const { origin } = rig.rigs[0] ?? {};
    for (let read = 0; read < 2; read++) {
      const headers = { authorization: `Bearer sk-${key}-key` };
      expect((await fetch(`${origin}/v1/responses/resp_slow`, { headers })).status).toBe(200);
    }
    const [, late] = await waitForEntries(rig.redis, prefix(), 2);
    expect(late).toMatchObject({
      id: 'late_resp_slow',
      requestId: reply.headers.get('x-request-id'),
      key,
      user: first?.user,
      labels: { team: 'core' },
      endpoint: 'POST /v1/responses',
      protocol: 'responses',
      model: 'by-responses',
      upstream: 'responses',
      upstreamModel: 'their-responses',
      usage: { inputTokens: 4, outputTokens: 400 },
      costNanos: 9_000 + 2 * 900_000 - RESERVED,
    });
    const total = (first?.costNanos ?? 0) + (late?.costNanos ?? 0);
    await expect.poll(async () => (await rig.limiter.spending(key)).total, PATIENT).toBe(key === 'ada' ? total : 0);
  });

  it('has the searches and the service tier of its later usage in its cost', async () => {
    const queued = modelResponse('resp_flex', '', { status: 'queued', output: [], usage: null });
    const usage = { input_tokens: 9, output_tokens: 2_000, total_tokens: 2_009 };
    const done = modelResponse('resp_flex', 'at last', {
      usage,
      service_tier: 'flex',
      tool_usage: { web_search: { num_requests: 3 } },
    });
    rig = await limitsRig(
      clients,
      ({ path }, response) => sendJson(response, 200, path.endsWith('/responses') ? queued : done),
      { prices: { 'by-responses': { price: { ...PRICE.price, search: 0.01, service_tiers: { flex: 0.5 } } } } },
    );
    await (await rig.post(key, '/v1/responses', { ...params, model: 'by-responses' })).text();
    const headers = { authorization: `Bearer sk-${key}-key` };
    await (await fetch(`${rig.rigs[0]?.origin}/v1/responses/resp_flex`, { headers })).text();
    const [, late] = await waitForEntries(rig.redis, prefix(), 2);
    expect(late).toMatchObject({
      usage: { inputTokens: 4, outputTokens: 1_500, searches: 3, serviceTier: 'flex' },
      costNanos: (9_000 + 2 * 2_000_000) / 2 + 3 * 10_000_000 - RESERVED,
    });
  });
});

it('has the searches and the service tier of a compaction by its vendor', async () => {
  const compacted = {
    ...modelResponse('resp_compacted', ''),
    object: 'response.compaction',
    output: [{ type: 'compaction', id: 'cmp_theirs', encrypted_content: 'encrypted by them' }],
    service_tier: 'flex',
    tool_usage: { web_search: { num_requests: 1 } },
  };
  rig = await limitsRig({ eve: {} }, (_request, response) => sendJson(response, 200, compacted), {
    prices: { 'by-responses': { price: { ...PRICE.price, search: 0.01, service_tiers: { flex: 0.5 } } } },
  });
  await (await rig.post('eve', '/v1/responses/compact', { model: 'by-responses', input: 'hi' })).text();
  const [entry] = await waitForEntries(rig.redis, prefix(), 1);
  expect(entry).toMatchObject({
    endpoint: 'POST /v1/responses/compact',
    usage: { inputTokens: 3, outputTokens: 2, searches: 1, serviceTier: 'flex' },
    costNanos: 7_000 / 2 + 10_000_000,
  });
});
