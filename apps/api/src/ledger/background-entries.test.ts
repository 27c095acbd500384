import { afterEach, describe, expect, it } from 'vitest';
import { ledgerEntries, waitForEntries } from '../../test/ledger/ledger-entries.ts';
import { type LimitsRig, limitsRig } from '../../test/limits-rig.ts';
import { sendJson } from '../../test/text-rig.ts';
import { modelResponse, respondWith } from '../../test/vendor.ts';

const PRICE = { price: { input: 1, output: 2 } };
const params = { input: 'hi', background: true, max_output_tokens: 500, user: 'u-1' };

let rig: LimitsRig;
afterEach(() => rig.close());

const prefix = (): string => rig.rigs[0]?.tasks.prefix ?? '';

describe.each(['eve', 'ada'])('a background response of the key %s', (key) => {
  const clients = { eve: { labels: { team: 'core' } }, ada: { budget: { usd: 1 }, labels: { team: 'core' } } };
  const prices = { 'by-chat': PRICE };

  it('has one entry when it ends', async () => {
    const isDone = Promise.withResolvers<void>();
    const respond = respondWith('hello');
    rig = await limitsRig(clients, (request, response) => void isDone.promise.then(() => respond(request, response)), {
      prices,
    });
    await rig.startWorker();
    const reply = await rig.post(key, '/v1/responses', { ...params, model: 'by-chat' });
    await reply.text();
    await expect.poll(() => rig.upstream.requests.length).toBe(1);
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

  it('has one entry with its usage at its vendor, its searches, and its service tier', async () => {
    const queued = modelResponse('resp_flex', '', { status: 'queued', output: [], usage: null });
    const done = modelResponse('resp_flex', 'at last', {
      usage: { input_tokens: 9, output_tokens: 200, total_tokens: 209 },
      service_tier: 'flex',
      tool_usage: { web_search: { num_requests: 3 } },
    });
    let state = queued;
    rig = await limitsRig(
      clients,
      ({ path }, response) => sendJson(response, 200, path.endsWith('/responses') ? queued : state),
      { prices: { 'by-responses': { price: { ...PRICE.price, search: 0.01, service_tiers: { flex: 0.5 } } } } },
    );
    const reply = await rig.post(key, '/v1/responses', { ...params, model: 'by-responses' });
    await reply.text();
    const read = async () => {
      const headers = { authorization: `Bearer sk-${key}-key` };
      expect((await fetch(`${rig.rigs[0]?.origin}/v1/responses/resp_flex`, { headers })).status).toBe(200);
    };
    await read();
    expect(await ledgerEntries(rig.redis, prefix())).toEqual([]);
    state = done;
    for (let at = 0; at < 2; at += 1) await read();
    const [entry] = await waitForEntries(rig.redis, prefix(), 1);
    const costNanos = (9_000 + 2 * 200_000) / 2 + 3 * 10_000_000;
    expect(entry).toMatchObject({
      requestId: reply.headers.get('x-request-id'),
      key,
      user: expect.any(String),
      labels: { team: 'core' },
      endpoint: 'POST /v1/responses',
      protocol: 'responses',
      model: 'by-responses',
      upstream: 'responses',
      upstreamModel: 'their-responses',
      status: 200,
      usage: { inputTokens: 9, outputTokens: 200, searches: 3, serviceTier: 'flex' },
      costNanos,
    });
    expect(entry).not.toHaveProperty('errorCode');
    await expect.poll(async () => (await rig.limiter.spending(key)).total).toBe(key === 'ada' ? costNanos : 0);
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
