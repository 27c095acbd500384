import { GatewayError } from '@sluice/canonical';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BatchRig, batchRig, DAY_MS, gate, lineOf, refusal, total } from '../test/batch-rig.ts';

const LONG = { timeout: 60_000 };
let rig: BatchRig;
beforeEach(async () => {
  rig = await batchRig();
});
afterEach(() => rig.close());

describe('a batch', () => {
  it('sends each line once, and has the results in the order of the input', LONG, async () => {
    rig.vendor = (customId) =>
      customId.endsWith('7')
        ? { status: 400, body: { error: { message: 'no' } } }
        : { status: 200, body: { id: customId }, usage: { inputTokens: 5, cachedTokens: 1, outputTokens: 2 } };
    const batch = await rig.create(600, { labels: { team: 'a' }, headers: { 'x-more': '1' } });
    rig.startWorker();
    const ended = await rig.ended(batch);
    expect(ended).toMatchObject({ status: 'completed', model: 'small', estimatedCostUsd: 0.25 });
    expect(ended.counts).toEqual({ total: 600, completed: 540, failed: 60, expired: 0, cancelled: 0 });
    expect(ended.usage).toEqual({ inputTokens: 2_700, cachedTokens: 540, outputTokens: 1_080, reasoningTokens: 0 });
    expect([total(rig.calls), rig.calls.size]).toEqual([600, 600]);
    const results = await rig.results(ended);
    const numbers = results.map(({ custom_id: id }) => Number(id.slice('line-'.length)));
    const [completed, failed] = [numbers.slice(0, 540), numbers.slice(540)];
    expect(completed).toEqual(completed.toSorted((a, b) => a - b));
    expect(failed).toEqual(failed.toSorted((a, b) => a - b));
    expect(results[0]).toEqual({
      id: `batch_req_${batch.id.slice('batch_'.length)}1`,
      custom_id: 'line-0',
      response: { status_code: 200, request_id: expect.stringMatching(/^batch_req_/), body: { id: 'line-0' } },
      error: null,
    });
    expect(results.at(-1)?.response).toMatchObject({ status_code: 400, body: { error: { message: 'no' } } });
    expect(await rig.store.stats()).toEqual({
      open: 0,
      waiting: 0,
      ended: { completed: 1 },
      lines: { completed: 540, failed: 60 },
    });
    expect((await rig.redis.keys(`*${batch.id}*`)).length).toBe(1);
  });

  it('sends its owner, labels, headers, and an id with each line', LONG, async () => {
    const requests: unknown[] = [];
    rig.vendor = (_id, { owner, path, headers, body }) => {
      requests.push({ owner, path, headers, body: JSON.parse(body) as unknown });
      return { status: 200 };
    };
    const batch = await rig.create(1, { labels: { team: 'a', app: 'b' }, headers: { 'anthropic-beta': 'x' } });
    rig.startWorker();
    await rig.ended(batch);
    const id = `batch_req_${batch.id.slice('batch_'.length)}1`;
    expect(requests).toEqual([
      {
        owner: 'alice',
        path: '/v1/chat/completions',
        headers: {
          'anthropic-beta': 'x',
          'content-type': 'application/json',
          'idempotency-key': id,
          'x-request-id': id,
          'x-sluice-labels': 'team=a,app=b',
        },
        body: expect.objectContaining({ user: 'line-0' }),
      },
    ]);
  });

  it('has no output file if no line succeeds, and no error file if none fails', LONG, async () => {
    const batch = await rig.create(1);
    rig.startWorker();
    expect((await rig.ended(batch)).errorFileId).toBeUndefined();
    rig.vendor = () => ({ status: 404 });
    const failing = await rig.ended(await rig.create(1));
    expect([failing.outputFileId, (await rig.results(failing)).length]).toEqual([undefined, 1]);
    const { files } = await rig.files.list('alice', { order: 'asc', limit: 10 });
    expect(files.map(({ purpose }) => purpose).toSorted()).toEqual(['batch', 'batch', 'batch_output', 'batch_output']);
  });

  it('announces its end to the webhooks of its owner', LONG, async () => {
    await rig.redis.sadd(`{${rig.prefix}}:webhooks:of:alice`, 'whe_1');
    const batch = await rig.create(1);
    rig.startWorker();
    await rig.ended(batch);
    await rig.ended(await rig.create(1, {}, 'bob'));
    const entries = await rig.redis.lrange(`{${rig.prefix}}:webhooks:outbox`, 0, -1);
    expect(entries.map((entry) => JSON.parse(entry) as unknown)).toEqual([
      expect.objectContaining({ event: 'batch.completed', task: batch.id, owner: 'alice', at: rig.clock.now }),
    ]);
  });
});

describe('validation', () => {
  it('ends the batch without a call if a line is invalid', LONG, async () => {
    const batch = await rig.createFrom(`${lineOf('a')}${lineOf('b')}nonsense\n`);
    rig.startWorker();
    const ended = await rig.ended(batch);
    expect(ended).toMatchObject({
      status: 'failed',
      counts: { total: 0 },
      errors: [{ code: 'invalid_json_line', line: 3 }],
    });
    expect([rig.calls.size, ended.outputFileId]).toEqual([0, undefined]);
  });

  it('finds duplicate ids', LONG, async () => {
    const batch = await rig.createFrom([lineOf('a'), lineOf('b'), lineOf('a')].join(''));
    rig.startWorker();
    expect((await rig.ended(batch)).errors).toMatchObject([{ code: 'duplicate_custom_id', line: 3 }]);
  });

  it('ends the batch if its input does not exist', LONG, async () => {
    const batch = await rig.create(1);
    await rig.files.remove('alice', batch.inputFileId);
    rig.startWorker();
    expect(await rig.ended(batch)).toMatchObject({ status: 'failed', errors: [{ code: 'file_not_found' }] });
  });

  it.each([
    ['budget', 12, 'insufficient_quota', 'may cost $12.00,'],
    ['budget', 0.00021, 'insufficient_quota', 'may cost $0.00021,'],
    ['max_cost_usd', 12, 'max_cost_exceeded', '`max_cost_usd` is 3'],
    ['max_cost_usd', null, 'max_cost_exceeded', 'the model has no price'],
  ])('ends a batch whose estimate exceeds %s with the cost %s', LONG, async (exceeded, cost_usd, code, part) => {
    rig.estimate = { status: 200, body: { cost_usd, exceeds: [exceeded] } };
    const batch = await rig.create(1, { maxCostUsd: 3 });
    rig.startWorker();
    const [error] = (await rig.ended(batch)).errors;
    expect(error).toMatchObject({ code, message: expect.stringContaining(part) });
    expect(rig.calls.size).toBe(0);
  });

  it('ends a batch that the API refuses, and repeats the validation if the API is unavailable', LONG, async () => {
    rig.estimate = {
      status: 404,
      body: { error: { code: 'model_not_found', message: 'No such model.', param: null, line: 1 } },
    };
    rig.startWorker();
    expect(await rig.ended(await rig.create(1))).toMatchObject({
      status: 'failed',
      errors: [{ code: 'model_not_found', line: 1 }],
    });
    rig.estimate = { status: 503 };
    const batch = await rig.create(1);
    await expect.poll(() => rig.logged.some((line) => line.startsWith('batch job failed')), LONG).toBe(true);
    rig.estimate = { status: 200, body: { cost_usd: null, exceeds: [] } };
    rig.clock.now += 1_000;
    expect((await rig.ended(batch)).status).toBe('completed');
  });
});

describe('a line', () => {
  it('that is refused by a rate limit is sent again', LONG, async () => {
    const refused = new Set<string>();
    rig.vendor = (customId) => {
      if (refused.has(customId)) return { status: 200 };
      refused.add(customId);
      return customId.endsWith('0') ? refusal(1) : refusal(1, {});
    };
    const batch = await rig.create(20);
    rig.startWorker();
    const moving = setInterval(() => (rig.clock.now += 1_000), 5);
    const ended = await rig.ended(batch).finally(() => clearInterval(moving));
    expect(ended.counts).toMatchObject({ completed: 20, failed: 0 });
    expect(total(rig.calls)).toBe(40);
  });

  it('that is refused for its budget or size fails', LONG, async () => {
    rig.vendor = () => ({ status: 429, headers: { 'x-should-retry': 'false' } });
    const batch = await rig.create(3);
    rig.startWorker();
    expect((await rig.ended(batch)).counts).toMatchObject({ failed: 3 });
    expect(total(rig.calls)).toBe(3);
  });

  it.each([
    [false, 1, { completed: 0, failed: 1 }],
    [true, 2, { completed: 1, failed: 0 }],
  ])(
    'whose response is lost is sent again only if the batch allows it: %s',
    LONG,
    async (retryUnknown, calls, counts) => {
      rig.vendor = () => {
        if (total(rig.calls) === 1) throw new Error('the connection was closed');
        return { status: 200 };
      };
      const batch = await rig.create(1, { retryUnknown });
      rig.startWorker();
      const ended = await rig.ended(batch);
      expect([total(rig.calls), ended.counts]).toMatchObject([calls, counts]);
      if (!retryUnknown)
        expect((await rig.results(ended))[0]).toMatchObject({ response: null, error: { code: 'outcome_unknown' } });
    },
  );

  it('is not sent after its key was removed, and the batch is cancelled', LONG, async () => {
    rig.vendor = (customId) => {
      if (customId === 'line-0') return { status: 200 };
      rig.calls.delete(customId);
      throw new GatewayError('invalid_api_key', 'The API key no longer exists.');
    };
    const batch = await rig.create(300);
    rig.startWorker({ maxInFlight: 1 });
    const ended = await rig.ended(batch);
    expect(ended).toMatchObject({ status: 'cancelled', errors: [{ code: 'invalid_api_key' }] });
    expect(ended.counts).toEqual({ total: 300, completed: 1, failed: 0, expired: 0, cancelled: 299 });
  });

  it('fails if the input file was deleted after the batch had started', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(300);
    rig.startWorker({ maxInFlight: 1 });
    await expect.poll(() => rig.calls.size, LONG).toBe(1);
    await rig.files.remove('alice', batch.inputFileId);
    await rig.files.sweep();
    release();
    const ended = await rig.ended(batch);
    expect(ended.counts).toMatchObject({ total: 300, completed: 250, failed: 50 });
    expect((await rig.results(ended)).at(-1)).toMatchObject({ error: { code: 'request_failed' } });
  });
});

describe('cancellation', () => {
  it('lets lines in flight end, sends no other, and keeps all results', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(600);
    rig.startWorker({ maxInFlight: 4 });
    await expect.poll(() => rig.calls.size, LONG).toBe(4);
    expect((await rig.store.cancel('alice', batch.id)).status).toBe('cancelling');
    release();
    const ended = await rig.ended(batch);
    expect(ended.status).toBe('cancelled');
    expect(ended.counts).toEqual({ total: 600, completed: 4, failed: 0, expired: 0, cancelled: 596 });
    const results = await rig.results(ended);
    expect(new Set(results.map(({ custom_id: id }) => id)).size).toBe(600);
    expect(results.at(-1)?.error?.code).toBe('batch_cancelled');
    expect(total(rig.calls)).toBe(4);
  });
});

describe('expiry', () => {
  it('ends a batch with the results that it has', LONG, async () => {
    const { vendor, release } = gate();
    rig.vendor = vendor;
    const batch = await rig.create(300);
    rig.startWorker({ maxInFlight: 2, leaseMs: 10 * DAY_MS });
    await expect.poll(() => rig.calls.size, LONG).toBe(2);
    rig.clock.now += DAY_MS;
    await expect.poll(async () => (await rig.find(batch)).status, LONG).toBe('finalizing');
    release();
    const ended = await rig.ended(batch);
    expect(ended.status).toBe('expired');
    expect(ended.counts).toEqual({ total: 300, completed: 2, failed: 0, expired: 298, cancelled: 0 });
    expect((await rig.results(ended)).at(-1)?.error?.code).toBe('batch_expired');
  });
});
