import { createResponseKeys, ResponseJobs, StoredItems, type ResponseJob } from '@sluice/responses';
import { describe, expect, it } from 'vitest';
import { respondWith } from '../../../api/test/vendor.ts';
import {
  eventsOf,
  LONG,
  numbersOf,
  params,
  typesOf,
  useBackgroundApi,
} from '../../../api/test/background/background-api.ts';

const { api, startWorker, create, retrieve, ended, stream } = useBackgroundApi();

/** Claims a response as a worker that dies afterward. */
async function claimAndDie(leaseMs = 200): Promise<{ jobs: ResponseJobs; job: ResponseJob }> {
  const prefix = api.rig.config.redis.prefix;
  const items = new StoredItems(api.redis, createResponseKeys(prefix), 60_000);
  const jobs = new ResponseJobs({ redis: api.redis, prefix, items, retentionMs: 60_000, logBytes: 1e6 });
  const [job] = await jobs.claim('run', leaseMs, 1);
  if (!job) throw new Error('no job is due');
  return { jobs, job };
}

async function storedRecord(id: string) {
  return {
    id,
    owner: 'alice',
    upstream: '',
    native: false,
    model: 'by-chat',
    createdAt: 1,
    status: 'in_progress' as const,
    body: params,
    inputItems: [],
    outputItems: [],
  };
}

describe('a worker that dies', () => {
  it('before the call is replaced, and the response is generated once', async () => {
    const { id } = await create();
    await claimAndDie();
    await startWorker();
    await ended(id);
    expect(api.upstream.requests).toHaveLength(1);
  });

  it('during the call is replaced, and the response is generated again', async () => {
    const { id } = await create();
    const { jobs, job } = await claimAndDie();
    await jobs.begin(job, await storedRecord(id));
    expect((await retrieve(id)).status).toBe('in_progress');
    await startWorker();
    await ended(id);
    expect(numbersOf(await stream(id))).toEqual(eventsOf(await stream(id)).map((_, number) => number));
  });

  it('during the call ends the response if it must not cost twice', async () => {
    const { id } = await create();
    const { jobs, job } = await claimAndDie();
    await jobs.begin(job, await storedRecord(id));
    await startWorker({ ...api.rig.config, responses: { ...api.rig.config.responses, retry_unknown: false } });
    const { error } = await ended(id, 'failed');
    expect(error?.message).toMatch(/outcome at the upstream is unknown/);
    expect(api.upstream.requests).toEqual([]);
    expect(typesOf(await stream(id))).toEqual(['response.created', 'response.queued', 'response.failed']);
  });

  it('after some events leaves them in the stream, which continues if the events of the next run are equal', async () => {
    const first = await create();
    await startWorker();
    await ended(first.id);
    await api.workers.pop()?.close();
    const { id } = await create();
    const { jobs, job } = await claimAndDie();
    await jobs.begin(job, await storedRecord(id));
    const [, , started = ''] = eventsOf(await stream(first.id));
    const shown = await retrieve(id);
    const times = /"created_at":\d+/;
    const [time = ''] = times.exec(JSON.stringify(shown)) ?? [];
    await jobs.append(job, 2, [started.replaceAll(first.id, id).replace(times, time)]);
    await startWorker();
    await ended(id);
    expect(typesOf(await stream(id))).toEqual(typesOf(await stream(first.id)));
  });

  it('after other events leaves them in the stream, which then ends with the complete response', async () => {
    const { id } = await create();
    const { jobs, job } = await claimAndDie();
    await jobs.begin(job, await storedRecord(id));
    await jobs.append(job, 2, ['event: x\ndata: {"type":"x","sequence_number":2,"other":1}\n\n']);
    await startWorker();
    await ended(id);
    const text = await stream(id);
    expect(typesOf(text)).toEqual(['response.created', 'response.queued', 'x', 'response.completed']);
    expect(numbersOf(text)).toEqual([0, 1, 2, 3]);
    expect(eventsOf(text)[3]).toContain('"text":"hello"');
  });

  it('too often ends the response', async () => {
    const { id } = await create();
    for (let claims = 1; claims <= 5; claims++) {
      const { jobs, job } = await claimAndDie(1);
      await jobs.begin(job, await storedRecord(id));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    await startWorker();
    await ended(id, 'failed');
    expect(api.upstream.requests).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('returns its responses to the queue, and another worker runs them', async () => {
    api.upstream.script = () => undefined;
    const { id } = await create();
    const first = await startWorker();
    await expect.poll(() => api.upstream.requests.length, LONG).toBe(1);
    api.workers.length = 0;
    await first.close();
    expect((await retrieve(id)).status).toBe('in_progress');
    api.upstream.script = respondWith('again');
    await startWorker();
    expect(JSON.stringify(await ended(id))).toContain('again');
  });
});
