import { createLimiter, type RecordedUsage, sendUsage } from '@sluice/limits';
import { createResponseKeys, type ResponseJob, ResponseJobs, StoredItems } from '@sluice/responses';
import { afterEach, describe, expect, it } from 'vitest';
import { ledgerEntries, waitForEntries } from '../../../api/test/ledger/ledger-entries.ts';
import { keyOf, type LimitsRig, limitsRig } from '../../../api/test/limits-rig.ts';
import { chatChunk, type Script, sendJson } from '../../../api/test/text-rig.ts';
import { modelResponse, respondWith } from '../../../api/test/vendor.ts';

const LONG = { timeout: 20_000 };
const PRICE = { price: { input: 1, output: 2 } };
const prices = { 'by-chat': PRICE, 'by-responses': PRICE };
const eve = { eve: { budget: { usd: 1 }, limits: { rpm: 100, tpm: 100_000 } } };
const params = { input: 'hi', background: true, max_output_tokens: 500 };
/** The prompt `hi` is estimated at 5 tokens. */
const RESERVED = 5_000 + 2 * 500_000;

let rig: LimitsRig;
afterEach(() => rig.close());

const prefix = (): string => rig.rigs[0]?.tasks.prefix ?? '';

async function call(at: string, method = 'GET', body?: object) {
  const headers = { authorization: `Bearer ${keyOf('eve')}`, 'content-type': 'application/json' };
  const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
  const reply = await fetch(`${rig.rigs[0]?.origin}${at}`, init);
  expect(reply.status).toBe(200);
  // The cast is safe because every response has these members.
  return (await reply.json()) as { id: string; status: string };
}

const create = (model: string) => call('/v1/responses', 'POST', { ...params, model });
const outbox = async () =>
  (await rig.redis.lrange(`{${prefix()}}:webhooks:outbox`, 0, -1)).map((entry) => {
    // The cast is safe because the scripts write these members.
    const { event, task } = JSON.parse(entry) as { event: string; task: string };
    return [event, task];
  });
const jobKeys = () => rig.redis.keys(`{${prefix()}}:text:job:*`);
const registerWebhook = () => call('/v1/webhooks', 'POST', { url: 'https://client.test/' });

function jobsOf(): ResponseJobs {
  const items = new StoredItems(rig.redis, createResponseKeys(prefix()), 60_000);
  return new ResponseJobs({ redis: rig.redis, prefix: prefix(), items, retentionMs: 60_000, logBytes: 1e6 });
}

/** Claims the poll for a worker that dies soon. */
async function claimPoll(jobs: ResponseJobs): Promise<ResponseJob[]> {
  let claimed: ResponseJob[] = [];
  await expect.poll(async () => (claimed = await jobs.claim('poll', 100, 1)).length, LONG).toBe(1);
  return claimed;
}

/** A response that ends at its output limit. */
const cutShort: Script = (_request, response) =>
  void response
    .writeHead(200, { 'content-type': 'text/event-stream' })
    .end(`${chatChunk({ role: 'assistant', content: 'so' })}${chatChunk({}, 'length')}data: [DONE]\n\n`);
const refuse: Script = (_request, response) => sendJson(response, 400, { error: { message: 'no' } });

describe('a background response', () => {
  it('is charged once and has one entry if its worker dies before it is charged', async () => {
    rig = await limitsRig(eve, respondWith('hello'), { prices });
    await registerWebhook();
    const { id } = await create('by-chat');
    const jobs = jobsOf();
    const [job] = await jobs.claim('run', 1_000, 1);
    if (job?.admission === undefined) throw new Error('the request was admitted');
    const admission = JSON.parse(job.admission) as { tokens: number };
    expect(admission.tokens).toBe(505);
    const charge = JSON.stringify({ admission, used: { tokens: 7, nanos: 9_000 }, entry: '{"id":"led_1"}' });
    await jobs.end(job, { webhook: 'response.completed', charge, leaseMs: 200 });
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: RESERVED, total: 0 });
    await rig.startWorker();
    await expect.poll(async () => (await rig.limiter.spending('eve')).total, LONG).toBe(9_000);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: 9_000 });
    expect(await rig.tokens('eve')).toBe(7);
    expect(await ledgerEntries(rig.redis, prefix())).toMatchObject([{ id: 'led_1' }]);
    expect(rig.upstream.requests).toEqual([]);
    expect(await outbox()).toEqual([['response.completed', id]]);
    await expect.poll(() => rig.redis.keys(`{${prefix()}}:text:job:*`), LONG).toEqual([]);
  });

  it('counts as one request and as the tokens that it used', async () => {
    rig = await limitsRig({ eve: { limits: { rpm: 1, tpm: 600 } } }, respondWith('hello'), { prices });
    await rig.startWorker();
    await create('by-chat');
    await expect.poll(() => rig.tokens('eve'), LONG).toBe(5);
    const reply = await rig.post('eve', '/v1/responses', { ...params, model: 'by-chat' });
    expect(reply.status).toBe(429);
    await reply.text();
    expect(rig.upstream.requests).toHaveLength(1);
  });

  it.each([
    ['completed', respondWith('hello'), 'completed'],
    ['failed', refuse, 'failed'],
    ['incomplete', cutShort, 'incomplete'],
  ])('that has %s sends its webhook event once', async (_, script, status) => {
    rig = await limitsRig(eve, script, { prices });
    await registerWebhook();
    await rig.startWorker();
    const { id } = await create('by-chat');
    await expect.poll(async () => (await call(`/v1/responses/${id}`)).status, LONG).toBe(status);
    expect(await outbox()).toEqual([[`response.${status}`, id]]);
  });

  it('that is canceled sends its webhook event once', async () => {
    rig = await limitsRig(eve, () => undefined, { prices });
    await registerWebhook();
    await rig.startWorker();
    const { id } = await create('by-chat');
    await expect.poll(() => rig.upstream.requests.length, LONG).toBe(1);
    await call(`/v1/responses/${id}/cancel`, 'POST', {});
    await expect.poll(() => rig.upstream.disconnects, LONG).toBe(1);
    const [entry] = await waitForEntries(rig.redis, prefix(), 1);
    expect(entry).toMatchObject({ errorCode: 'aborted', costNanos: 5_000 });
    expect(await outbox()).toEqual([['response.cancelled', id]]);
  });
});

describe('a background response at its vendor', () => {
  const queued = modelResponse('resp_slow', '', { status: 'queued', output: [], usage: null });
  const usage = { input_tokens: 9, output_tokens: 900, total_tokens: 909 };
  const finished = modelResponse('resp_slow', 'at last', { usage });
  const USED = 9_000 + 2 * 900_000;

  /** The states in which every process may die: another one charges the response, once. */
  it.each([
    ['before it is polled', 'queued', undefined],
    ['during a poll', 'claimed', undefined],
    ['after its end is stored', 'ended', USED],
    ['after its charge', 'charged', USED],
  ])('is charged once if a worker dies %s', async (_, state, before) => {
    rig = await limitsRig(
      eve,
      ({ path }, response) => sendJson(response, 200, path.endsWith('/responses') ? queued : finished),
      { prices },
    );
    await create('by-responses');
    expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: RESERVED, total: 0 });
    const jobs = jobsOf();
    const [job] = state === 'queued' ? [] : await claimPoll(jobs);
    if (job && before !== undefined) {
      // The casts are safe because the API wrote this value.
      const unknown = JSON.parse(job.unknown ?? '') as RecordedUsage;
      const entry = JSON.stringify({ ...(JSON.parse(unknown.entry ?? '') as object), costNanos: before });
      const charge = { ...unknown, used: { tokens: 909, nanos: before }, entry };
      await jobs.end(job, { charge: JSON.stringify(charge), leaseMs: 100 });
      if (state === 'charged') {
        const limiter = createLimiter(rig.redis, { prefix: prefix(), maxLedgerEntries: 10 });
        await sendUsage(limiter, charge, jobs.dueCharge(job));
        expect(await rig.limiter.spending('eve')).toMatchObject({ reserved: 0, total: before });
        // As after a minute.
        await rig.redis.del(...(await rig.redis.keys(`{${prefix()}}:settled:*`)));
      }
    }
    await rig.startWorker();
    await expect.poll(jobKeys, LONG).toEqual([]);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: USED });
    expect(await waitForEntries(rig.redis, prefix(), 1)).toMatchObject([{ costNanos: USED }]);
    expect(await rig.tokens('eve')).toBe(909);
  });

  it('costs its reservation if its end stays unknown for a day', async () => {
    rig = await limitsRig(eve, (_request, response) => sendJson(response, 200, queued), { prices });
    await create('by-responses');
    const [key = ''] = await jobKeys();
    await rig.redis.hset(key, 'createdAt', Date.now() - 25 * 3_600_000);
    await rig.startWorker();
    await expect.poll(jobKeys, LONG).toEqual([]);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: RESERVED });
    expect(await waitForEntries(rig.redis, prefix(), 1)).toMatchObject([{ costNanos: RESERVED, status: 200 }]);
  });

  it('is polled until it ends, without a client: charged, copied, and reported to webhooks', async () => {
    let isFinished = false;
    const vendor: Script = ({ path }, response) => {
      if (path.includes('/chat/')) return respondWith('elsewhere')({ path, headers: {}, body: {}, raw: '' }, response);
      if (path.endsWith('/responses') && isFinished) return sendJson(response, 503, { error: { message: 'busy' } });
      sendJson(response, 200, isFinished ? finished : queued);
    };
    const routes = ['responses', 'chat-completions'].map((name) => ({ upstream: name, model: `their-${name}` }));
    const config = { responses: { store: 'gateway' }, models: [{ id: 'both', routes, ...PRICE }] };
    rig = await limitsRig(eve, vendor, { prices, config });
    await registerWebhook();
    const { id, status } = await create('both');
    expect([id, status]).toEqual(['resp_slow', 'queued']);
    await rig.startWorker();
    await expect.poll(() => rig.upstream.requests.length, LONG).toBe(2);
    expect(await outbox()).toEqual([]);
    isFinished = true;
    await expect.poll(outbox, LONG).toEqual([['response.completed', 'resp_slow']]);
    const entries = await waitForEntries(rig.redis, prefix(), 1);
    expect(entries).toMatchObject([{ costNanos: USED, usage: { inputTokens: 9, outputTokens: 900 } }]);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: USED });
    await expect.poll(jobKeys, LONG).toEqual([]);
    // The vendor is unavailable, so another upstream continues the conversation, from the copy.
    const next = { model: 'both', input: 'and then', previous_response_id: id };
    expect(await (await rig.post('eve', '/v1/responses', next)).json()).toMatchObject({ status: 'completed' });
    expect(rig.upstream.requests.at(-1)?.raw).toContain('at last');
  });

  it('is no longer polled, and costs its reservation, if the vendor does not have it', async () => {
    rig = await limitsRig(
      eve,
      ({ path }, response) =>
        path.endsWith('/responses')
          ? sendJson(response, 200, queued)
          : sendJson(response, 404, { error: { message: 'not found' } }),
      { prices },
    );
    await rig.startWorker();
    await create('by-responses');
    await expect.poll(jobKeys, LONG).toEqual([]);
    expect(rig.upstream.requests).toHaveLength(2);
    expect(await rig.finalSpending('eve')).toMatchObject({ reserved: 0, total: RESERVED });
    expect(await waitForEntries(rig.redis, prefix(), 1)).toMatchObject([{ costNanos: RESERVED }]);
  });

  it('runs in a worker at another upstream if the vendor fails', async () => {
    const respond = respondWith('elsewhere');
    const routes = ['responses', 'chat-completions'].map((name) => ({ upstream: name, model: `their-${name}` }));
    const config = { models: [{ id: 'both', routes, ...PRICE }] };
    rig = await limitsRig(
      eve,
      (request, response) =>
        request.path.endsWith('/responses')
          ? sendJson(response, 503, { error: { message: 'busy' } })
          : respond(request, response),
      { prices, config },
    );
    const { id, status } = await create('both');
    expect(status).toBe('queued');
    await rig.startWorker();
    await expect.poll(async () => (await call(`/v1/responses/${id}`)).status, LONG).toBe('completed');
    expect(await waitForEntries(rig.redis, prefix(), 1)).toMatchObject([{ upstream: 'chat-completions' }]);
    expect(await rig.finalSpending('eve')).toMatchObject({ total: 7_000 });
  });
});
