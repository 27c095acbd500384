import { createLimiter } from '@sluice/limits';
import { openRedis, testRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ResponseRecords } from '../records/response-records.ts';
import { StoredItems } from '../records/stored-items.ts';
import type { StoredResponse } from '../records/stored-response.ts';
import { createResponseKeys } from '../records/response-keys.ts';
import { EventLog } from './event-log.ts';
import { readJobStats } from './job-stats.ts';
import type { ResponseJob } from './response-job.ts';
import { ResponseJobs } from './response-jobs.ts';

const RETENTION_MS = 60_000;
const LEASE_MS = 30_000;
const RECORD: StoredResponse = {
  id: 'resp_1',
  owner: 'alice',
  upstream: '',
  native: false,
  model: 'm',
  createdAt: 1,
  status: 'queued',
  body: { background: true },
  inputItems: [],
  outputItems: [],
};
const DONE: StoredResponse = { ...RECORD, status: 'completed', outputItems: [{ id: 'msg_1', type: 'message' }] };
const RUN = { body: Buffer.from('{}'), headers: { 'x-request-id': 'req_1' }, createdAt: 1, events: ['a\n\n', 'b\n\n'] };
const LAST = { type: 'response.completed', members: '"response":{}' };

let redis: Redis;
let prefix: string;
let jobs: ResponseJobs;
let records: ResponseRecords;
let log: EventLog;
beforeEach(() => {
  const { redisUrl, prefix: own } = testRedis();
  prefix = own;
  redis = openRedis(redisUrl);
  const keys = createResponseKeys(prefix);
  const items = new StoredItems(redis, keys, RETENTION_MS);
  records = new ResponseRecords(redis, keys, items, RETENTION_MS);
  jobs = new ResponseJobs({ redis, prefix, items, retentionMs: RETENTION_MS, logBytes: 200 });
  log = new EventLog(redis, prefix);
});
afterEach(() => redis.disconnect());

async function claimed(leaseMs = LEASE_MS): Promise<ResponseJob> {
  const [job] = await jobs.claim('run', leaseMs, 1);
  if (!job) throw new Error('no job is due');
  return job;
}

const createFor = (owner: string, id: string) => jobs.createRun({ ...RECORD, owner, id }, RUN);
const claimedIds = async (count: number) => (await jobs.claim('run', LEASE_MS, count)).map(({ id }) => id);
const outbox = () => redis.lrange(`{${prefix}}:webhooks:outbox`, 0, -1);
const leftovers = async () =>
  (await redis.keys(`{${prefix}}:text:*`)).filter((key) => /:(?:job|due|alive|waiting)/.test(key));

describe('a job', () => {
  it('is claimed by one worker, and by another one after its lease', async () => {
    await jobs.createRun(RECORD, { ...RUN, admission: '{"id":"fare_1"}' });
    const first = await claimed(1);
    expect(first).toMatchObject({ owner: 'alice', id: 'resp_1', state: 'queued', epoch: 1, headers: RUN.headers });
    expect([first.body.toString(), first.admission]).toEqual(['{}', '{"id":"fare_1"}']);
    await expect.poll(() => jobs.claim('run', LEASE_MS, 9)).toMatchObject([{ epoch: 2 }]);
    expect(await jobs.claim('run', LEASE_MS, 9)).toEqual([]);
    // Nothing that the stale worker does has an effect.
    expect(await jobs.renew(first, 0)).toBe('lost');
    expect(await jobs.begin(first, { ...RECORD, status: 'in_progress' })).toBe(false);
    expect(await jobs.append(first, 2, ['c\n\n'])).toBe(false);
    expect(await jobs.end(first, { record: DONE, event: LAST })).toBe(false);
    await jobs.drop(first);
    expect((await records.read('alice', 'resp_1'))?.status).toBe('queued');
    expect(await jobs.claim('run', LEASE_MS, 9)).toEqual([]);
  });

  it('keeps its claim while it is renewed, and returns to the queue at once if its worker stops', async () => {
    await jobs.createRun(RECORD, RUN);
    const job = await claimed(1);
    expect(await jobs.renew(job, LEASE_MS)).toBe('renewed');
    expect(await jobs.claim('run', LEASE_MS, 1)).toEqual([]);
    expect(await readJobStats(redis, prefix)).toEqual({ waiting: 0, running: 1, polled: 0 });
    expect(await jobs.renew(job, 0)).toBe('renewed');
    expect(await readJobStats(redis, prefix)).toEqual({ waiting: 1, running: 0, polled: 0 });
    expect((await claimed()).epoch).toBe(2);
  });

  it('takes turns with the jobs of other owners, also if one owner has many', async () => {
    for (let count = 0; count < 50; count += 1) await createFor('alice', `resp_a${count}`);
    await createFor('bob', 'resp_b0');
    await createFor('bob', 'resp_b1');
    expect((await claimedIds(4)).toSorted()).toEqual(['resp_a0', 'resp_a1', 'resp_b0', 'resp_b1']);
    expect(await claimedIds(2)).toEqual(['resp_a2', 'resp_a3']);
    // An owner who returns neither waits for all others, nor overtakes them.
    await createFor('carol', 'resp_c0');
    await createFor('bob', 'resp_b2');
    expect((await claimedIds(3)).toSorted()).toEqual(['resp_a4', 'resp_b2', 'resp_c0']);
    expect(await readJobStats(redis, prefix)).toEqual({ waiting: 45, running: 9, polled: 0 });
    expect(await claimedIds(100)).toHaveLength(45);
    expect(await claimedIds(1)).toEqual([]);
    expect((await redis.keys(`{${prefix}}:text:*`)).filter((key) => /:(?:turns|waiting)/.test(key))).toEqual([]);
  });

  it('is stored once, even if the call is resent', async () => {
    expect(await jobs.createPoll(RECORD, { createdAt: 1, delayMs: 0 })).toBe(true);
    expect(await jobs.createPoll(DONE, { createdAt: 1, delayMs: 0 })).toBe(false);
    expect(await jobs.claim('run', LEASE_MS, 9)).toEqual([]);
    expect(await jobs.claim('poll', LEASE_MS, 9)).toHaveLength(1);
    expect(await readJobStats(redis, prefix)).toEqual({ waiting: 0, running: 0, polled: 1 });
  });
});

describe('a repeated request', () => {
  const repetition = { key: 'once', digest: 'a' };
  const repeat = (id: string, more = {}, owner = 'alice') =>
    jobs.createRun({ ...RECORD, owner, id }, { ...RUN, repetition: { ...repetition, ...more } });

  it('returns the response of the first one for 24 hours, and stores nothing', async () => {
    const ids = await Promise.all([repeat('resp_1'), repeat('resp_2'), repeat('resp_3', {}, 'bob')]);
    expect(ids).toEqual(['resp_1', 'resp_1', 'resp_3']);
    // The same call, resent after its reply was lost.
    expect(await repeat('resp_1')).toBe('resp_1');
    expect(await jobs.findRepeated('alice', repetition)).toBe('resp_1');
    expect(await jobs.findRepeated('carol', repetition)).toBeUndefined();
    expect((await claimedIds(9)).toSorted()).toEqual(['resp_1', 'resp_3']);
    for (const key of await redis.keys(`{${prefix}}:text:repetition:*`)) {
      expect(await redis.pttl(key)).toBeGreaterThan(86_000_000);
    }
  });

  it('is refused if it differs, until the response is deleted', async () => {
    await repeat('resp_1');
    const refusal = { code: 'idempotency_key_reused' };
    await expect(repeat('resp_2', { digest: 'b' })).rejects.toMatchObject(refusal);
    await expect(jobs.findRepeated('alice', { ...repetition, digest: 'b' })).rejects.toMatchObject(refusal);
    await jobs.remove(RECORD);
    expect(await jobs.findRepeated('alice', repetition)).toBeUndefined();
    expect(await repeat('resp_2', { digest: 'b' })).toBe('resp_2');
  });
});

describe('the end of a response', () => {
  it('stores the record, its items, the last event, and the webhook event, and removes the job', async () => {
    await redis.sadd(`{${prefix}}:webhooks:of:alice`, 'whe_1');
    await jobs.createRun(RECORD, RUN);
    const job = await claimed();
    expect(await jobs.begin(job, { ...RECORD, status: 'in_progress' })).toBe(true);
    expect((await records.read('alice', 'resp_1'))?.status).toBe('in_progress');
    expect(await jobs.end(job, { record: DONE, event: LAST, webhook: 'response.completed' })).toBe(true);
    expect(await jobs.end(job, { record: DONE, event: LAST, webhook: 'response.completed' })).toBe(false);
    expect(await records.read('alice', 'resp_1')).toEqual(DONE);
    expect(await redis.exists(createResponseKeys(prefix).item('alice', 'msg_1'))).toBe(1);
    expect(await log.read('alice', 'resp_1', 1)).toEqual({
      events: ['event: response.completed\ndata: {"type":"response.completed","sequence_number":2,"response":{}}\n\n'],
      first: 2,
      isEnd: true,
    });
    expect((await outbox()).map((entry) => JSON.parse(entry) as unknown)).toEqual([
      { event: 'response.completed', task: 'resp_1', owner: 'alice', at: expect.closeTo(Date.now(), -5) },
    ]);
    expect(await leftovers()).toEqual([]);
  });

  it('adds no webhook event for an owner without webhooks', async () => {
    await jobs.createRun(RECORD, RUN);
    await jobs.end(await claimed(), { record: DONE, event: LAST, webhook: 'response.completed' });
    expect(await outbox()).toEqual([]);
  });

  it('keeps the job until its usage is charged, and another worker charges it', async () => {
    await jobs.createRun(RECORD, RUN);
    const job = await claimed();
    await jobs.end(job, { record: DONE, event: LAST, charge: '{"used":1}', leaseMs: 1 });
    expect(await records.read('alice', 'resp_1')).toEqual(DONE);
    await expect
      .poll(() => jobs.claim('run', LEASE_MS, 1))
      .toMatchObject([{ state: 'ended', charge: '{"used":1}', epoch: 2 }]);
    expect(await jobs.endForClient(RECORD, { event: LAST })).toEqual({ isDone: false });
    await jobs.drop({ ...job, epoch: 2 });
    expect(await leftovers()).toEqual([]);
  });

  it('by a client releases what was reserved only if no upstream was called', async () => {
    const canceled: StoredResponse = { ...RECORD, status: 'cancelled' };
    await jobs.createRun(RECORD, { ...RUN, admission: 'reserved' });
    const early = await claimed();
    expect(await jobs.endForClient(RECORD, { record: canceled, event: LAST })).toEqual({
      isDone: true,
      admission: 'reserved',
    });
    expect(await jobs.begin(early, RECORD)).toBe(false);
    expect(await jobs.renew(early, LEASE_MS)).toBe('gone');
    const other = { ...RECORD, id: 'resp_2' };
    await jobs.createRun(other, { ...RUN, admission: 'reserved' });
    const late = await claimed();
    await jobs.begin(late, other);
    const second = { record: { ...canceled, id: 'resp_2' }, event: LAST };
    expect(await jobs.endForClient(other, second)).toEqual({ isDone: true });
    expect(await jobs.end(late, { record: { ...DONE, id: 'resp_2' }, event: LAST })).toBe(false);
    expect((await records.read('alice', 'resp_2'))?.status).toBe('cancelled');
    expect(await jobs.endForClient(other, {})).toEqual({ isDone: false });
  });

  it('keeps the reservation of the request until the job is removed', async () => {
    const limiter = createLimiter(redis, { prefix });
    const request = { id: 'fare_1', owner: 'alice', tokens: 0 };
    const reserved = async () => (await limiter.spending('alice')).reserved;
    await limiter.admit({ ...request, nanos: 70, budget: { nanos: 100, period: 'total' } });
    await jobs.createRun(RECORD, { ...RUN, reservationId: 'fare_1' });
    // As after an hour, in which requests' reservations expire.
    expect(await redis.keys(`{${prefix}}:budget_*`)).toEqual([]);
    expect(await reserved()).toBe(70);
    const job = await claimed();
    await jobs.end(job, { record: DONE, event: LAST, charge: '{}', leaseMs: LEASE_MS });
    expect(await reserved()).toBe(70);
    for (let sent = 0; sent < 2; sent += 1) {
      await limiter.recordUsage(request, 1, { tokens: 0, nanos: 30 }, undefined, jobs.dueCharge(job));
      await redis.del(`{${prefix}}:settled:fare_1`);
      expect(await limiter.spending('alice')).toMatchObject({ reserved: 40, total: 30 });
    }
    await jobs.drop(job);
    expect(await reserved()).toBe(0);
  });

  it('leaves nothing of a removed response', async () => {
    await jobs.createRun(RECORD, { ...RUN, admission: 'reserved' });
    const job = await claimed();
    expect(await jobs.remove(RECORD)).toEqual({ isDone: true, admission: 'reserved' });
    expect(await jobs.end(job, { record: DONE, event: LAST })).toBe(false);
    expect(await jobs.remove(RECORD)).toEqual({ isDone: false });
    expect(await redis.keys(`{${prefix}}:text:*`)).toEqual([]);
  });
});

describe('the log of events', () => {
  it('returns the events after a number, and knows the end', async () => {
    await jobs.createRun(RECORD, RUN);
    expect(await log.read('alice', 'resp_1', -1)).toEqual({ events: ['a\n\n', 'b\n\n'], first: 0, isEnd: false });
    expect(await log.read('alice', 'resp_1', 0)).toEqual({ events: ['b\n\n'], first: 1, isEnd: false });
    expect(await log.read('alice', 'resp_1', 1)).toEqual({ events: [], first: 2, isEnd: false, last: 1 });
    expect(await log.read('bob', 'resp_1', 1)).toBeUndefined();
    await jobs.end(await claimed(), { record: DONE, event: LAST });
    expect(await log.read('alice', 'resp_1', 99)).toEqual({ events: [], first: 100, isEnd: true, last: 2 });
    const [key = ''] = await redis.keys(`{${prefix}}:text:log:*`);
    expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('does not end before events that are added while it is read', async () => {
    await jobs.createRun(RECORD, RUN);
    const job = await claimed();
    let reads = 0;
    const added = new EventLog(
      {
        async xrange(...args: Parameters<Redis['xrange']>) {
          const entries = await redis.xrange(...args);
          if ((reads += 1) === 1) await jobs.end(job, { record: DONE, event: LAST });
          return entries;
        },
        xrevrange: redis.xrevrange.bind(redis),
      } as Redis, // The cast is safe because a log only reads.
      prefix,
    );
    expect(await added.read('alice', 'resp_1', 1)).toEqual({ events: [], first: 2, isEnd: false, last: 2 });
    expect(await added.read('alice', 'resp_1', 1)).toMatchObject({ first: 2, isEnd: true });
  });

  it('is appended once, even if the call is resent, and drops its oldest events if it is too long', async () => {
    await jobs.createRun(RECORD, RUN);
    const job = await claimed();
    for (let number = 2; number < 8; number += 2) {
      const events = [`${number}${'x'.repeat(46)}\n\n`, `${number + 1}${'x'.repeat(46)}\n\n`];
      expect(await jobs.append(job, number, events)).toBe(true);
      expect(await jobs.append(job, number, events)).toBe(true);
    }
    const part = await log.read('alice', 'resp_1', -1);
    expect(part?.first).toBe(4);
    expect(part?.events.map((event) => event[0])).toEqual(['4', '5', '6', '7']);
  });
});
