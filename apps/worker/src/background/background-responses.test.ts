import { createResponseKeys, ResponseJobs, StoredItems, type ResponseJob } from '@sluice/responses';
import { openRedis } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import OpenAI from 'openai';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KEYS } from '../../../api/test/api-rig.ts';
import { backgroundWorker, type BackgroundWorker } from '../../../api/test/workers/background-worker.ts';
import {
  chatChunk,
  type ScriptedUpstream,
  scriptedUpstream,
  sendJson,
  type TextRig,
  textRig,
} from '../../../api/test/text-rig.ts';
import { respondWith, vendorConfig } from '../../../api/test/vendor.ts';

const LONG = { timeout: 20_000 };
const params = { model: 'by-chat', input: 'hi', background: true };
const done = `${chatChunk({}, 'stop')}data: [DONE]\n\n`;

let upstream: ScriptedUpstream;
let rig: TextRig;
let redis: Redis;
let workers: BackgroundWorker[];
beforeEach(async () => {
  upstream = await scriptedUpstream(respondWith('hello'));
  rig = await textRig(vendorConfig(upstream.url));
  redis = openRedis(rig.tasks.redisUrl);
  workers = [];
});
afterEach(async () => {
  await Promise.all(workers.map((worker) => worker.close()));
  await rig.close();
  await upstream.close();
  redis.disconnect();
});

async function startWorker(config = rig.config, timing = {}): Promise<BackgroundWorker> {
  const worker = await backgroundWorker({ ...rig, config }, timing);
  workers.push(worker);
  return worker;
}

interface ResponseJson {
  id: string;
  status: string;
  completed_at: number | null;
  error: { code: string; message: string } | null;
}

async function create(more: object = {}): Promise<ResponseJson> {
  const reply = await rig.post('/v1/responses', { ...params, ...more });
  expect(reply.status).toBe(200);
  return (await reply.json()) as ResponseJson; // The cast is safe because the endpoint returns a response.
}

async function retrieve(id: string): Promise<ResponseJson> {
  return (await (await rig.call(`/v1/responses/${id}`)).json()) as ResponseJson;
}

async function ended(id: string, status = 'completed'): Promise<ResponseJson> {
  await expect.poll(async () => (await retrieve(id)).status, LONG).toBe(status);
  const response = await retrieve(id);
  expect(response.completed_at).toEqual(status === 'completed' ? expect.any(Number) : null);
  return response;
}

async function stream(id: string, after?: number, from: TextRig = rig): Promise<string> {
  const reply = await from.call(
    `/v1/responses/${id}?stream=true${after === undefined ? '' : `&starting_after=${after}`}`,
  );
  expect(reply.status).toBe(200);
  return reply.text();
}

function eventsOf(text: string): string[] {
  return text.split(/(?<=\n\n)/).filter((event) => event.startsWith('event: '));
}

const numbersOf = (text: string) => [...text.matchAll(/"sequence_number":(\d+)/g)].map(([, number]) => Number(number));
const typesOf = (text: string) => [...text.matchAll(/^event: (.*)$/gm)].map(([, type]) => type);

/** Claims a response as a worker that dies afterward. */
async function claimAndDie(leaseMs = 200): Promise<{ jobs: ResponseJobs; job: ResponseJob }> {
  const prefix = rig.config.redis.prefix;
  const items = new StoredItems(redis, createResponseKeys(prefix), 60_000);
  const jobs = new ResponseJobs({ redis, prefix, items, retentionMs: 60_000, logBytes: 1e6 });
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

describe('the stream of a background response', () => {
  it('is the same for each client, from any event, in any process, during and after the run', async () => {
    await startWorker();
    let send: ((text: string) => void) | undefined;
    const isOpen = Promise.withResolvers<void>();
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send = (text) => void response.write(text);
      isOpen.resolve();
    };
    const other = await textRig(vendorConfig(upstream.url), { prefix: rig.tasks.prefix });
    try {
      const whole = rig.post('/v1/responses', { ...params, stream: true }).then((reply) => reply.text());
      await isOpen.promise;
      const [key = ''] = await redis.keys(`{${rig.config.redis.prefix}}:text:job:*`);
      const id = (await redis.hget(key, 'id')) ?? '';
      const live = [stream(id, undefined, other), stream(id, 1, other)];
      for (const content of ['one ', 'tw', 'o é😀']) send?.(chatChunk({ content }));
      await expect.poll(async () => (await redis.hget(key, 'next')) ?? '', LONG).toMatch(/^[5-9]/);
      live.push(stream(id, 3, other));
      send?.(done);
      const expected = await whole;
      const events = eventsOf(expected);
      expect(numbersOf(expected)).toEqual(events.map((_, number) => number));
      expect(typesOf(expected).slice(0, 4)).toEqual([
        'response.created',
        'response.queued',
        'response.in_progress',
        'response.output_item.added',
      ]);
      expect(typesOf(expected).at(-1)).toBe('response.completed');
      expect(expected).toContain('"delta":"o é😀"');
      const from = (number: number) => events.slice(number).join('');
      expect((await Promise.all(live)).map((text) => eventsOf(text).join(''))).toEqual([from(0), from(2), from(4)]);
      for (const number of events.keys()) expect(await stream(id, number, other)).toBe(from(number + 1));
      expect(await retrieve(id)).toMatchObject({ id, status: 'completed', background: true });
    } finally {
      await other.close();
    }
  });

  it('continues without its client, which can resume it', async () => {
    const gate = Promise.withResolvers<void>();
    const respond = respondWith('at last');
    upstream.script = (request, response) => void gate.promise.then(() => respond(request, response));
    await startWorker();
    const controller = new AbortController();
    const reply = await rig.post('/v1/responses', { ...params, stream: true }, controller);
    const first = await reply.body?.getReader().read();
    const [, id = ''] = /"id":"(resp_\w+)"/.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
    controller.abort();
    await expect.poll(() => upstream.requests.length, LONG).toBe(1);
    gate.resolve();
    expect(typesOf(await stream(id, 1)).at(-1)).toBe('response.completed');
    expect(upstream.disconnects).toBe(0);
  });

  it('is refused for other responses, and for invalid numbers', async () => {
    const { id } = await create({ background: false });
    expect((await rig.call(`/v1/responses/${id}?stream=true`)).status).toBe(400);
    const queued = await create();
    for (const query of ['starting_after=-1', 'starting_after=x', 'starting_after=1.5', 'starting_after=2']) {
      const reply = await rig.call(`/v1/responses/${queued.id}?stream=true&${query}`);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { param: 'starting_after' } });
    }
  });
});

describe('a run', () => {
  it('can take many times as long as its lease and the timeouts of its call', LONG, async () => {
    const shortMs = 1_500;
    const timeouts = { ...rig.config.timeouts, text_first_ms: shortMs, text_idle_ms: shortMs };
    const contents = Array.from({ length: 16 }, (_, number) => `${number} `);
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      const left = [...contents];
      const timer = setInterval(() => {
        const content = left.shift();
        if (content !== undefined) return void response.write(chatChunk({ content }));
        clearInterval(timer);
        response.end(done);
      }, shortMs / 4);
    };
    // The second one takes over if the first one loses its lease.
    for (let count = 0; count < 2; count += 1) await startWorker({ ...rig.config, timeouts }, { leaseMs: shortMs });
    const { id } = await create();
    expect(JSON.stringify(await ended(id))).toContain(contents.join(''));
    expect(upstream.requests).toHaveLength(1);
  });
});

describe('a worker that dies', () => {
  it('before the call is replaced, and the response is generated once', async () => {
    const { id } = await create();
    await claimAndDie();
    await startWorker();
    await ended(id);
    expect(upstream.requests).toHaveLength(1);
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
    await startWorker({ ...rig.config, responses: { ...rig.config.responses, retry_unknown: false } });
    const { error } = await ended(id, 'failed');
    expect(error?.message).toMatch(/outcome at the upstream is unknown/);
    expect(upstream.requests).toEqual([]);
    expect(typesOf(await stream(id))).toEqual(['response.created', 'response.queued', 'response.failed']);
  });

  it('after some events leaves them in the stream, which continues if the events of the next run are equal', async () => {
    const first = await create();
    await startWorker();
    await ended(first.id);
    await workers.pop()?.close();
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
    expect(upstream.requests).toEqual([]);
  });
});

describe('a worker that stops', () => {
  it('returns its responses to the queue, and another worker runs them', async () => {
    upstream.script = () => undefined;
    const { id } = await create();
    const first = await startWorker();
    await expect.poll(() => upstream.requests.length, LONG).toBe(1);
    workers = [];
    await first.close();
    expect((await retrieve(id)).status).toBe('in_progress');
    upstream.script = respondWith('again');
    await startWorker();
    expect(JSON.stringify(await ended(id))).toContain('again');
  });
});

describe('a background response', () => {
  it('is canceled or deleted while it waits, and is never run', async () => {
    const [canceled, deleted] = [await create(), await create()];
    const reply = await rig.call(`/v1/responses/${canceled.id}/cancel`, { method: 'POST' });
    expect(await reply.json()).toMatchObject({ id: canceled.id, status: 'cancelled' });
    expect((await rig.call(`/v1/responses/${deleted.id}`, { method: 'DELETE' })).status).toBe(200);
    await startWorker();
    await ended((await create()).id);
    expect(upstream.requests).toHaveLength(1);
    expect((await retrieve(canceled.id)).status).toBe('cancelled');
    expect((await rig.call(`/v1/responses/${deleted.id}`)).status).toBe(404);
    expect(typesOf(await stream(canceled.id))).toEqual(['response.created', 'response.queued', 'response.cancelled']);
  });

  it.each([
    ['canceled', '/cancel', 'POST'],
    ['deleted', '', 'DELETE'],
  ])('that runs is %s, which aborts the upstream call', async (_, suffix, method) => {
    upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ content: 'so far' }));
    };
    await startWorker();
    const { id } = await create();
    await expect.poll(() => upstream.requests.length, LONG).toBe(1);
    const following = stream(id);
    expect((await rig.call(`/v1/responses/${id}${suffix}`, { method })).status).toBe(200);
    await expect.poll(() => upstream.disconnects, LONG).toBe(1);
    const text = await following;
    if (method === 'DELETE') expect((await rig.call(`/v1/responses/${id}`)).status).toBe(404);
    else {
      expect(typesOf(text).at(-1)).toBe('response.cancelled');
      expect((await retrieve(id)).status).toBe('cancelled');
    }
  });

  it('has failed if the request fails at its upstream, with a public message', async () => {
    upstream.script = (_request, response) => sendJson(response, 401, { error: { message: 'bad key sk-vendor-x' } });
    const worker = await startWorker();
    const { id } = await create();
    const { error } = await ended(id, 'failed');
    expect(error?.code).toBe('provider_auth');
    expect(error?.message).not.toContain('sk-vendor');
    expect(worker.logs()).not.toContain('sk-vendor-x');
    const late = await rig.call(`/v1/responses/${id}/cancel`, { method: 'POST' });
    expect(await late.json()).toMatchObject({
      error: { message: expect.stringMatching(/ended with status `failed`/) },
    });
  });

  it('works with the SDK of OpenAI: created, polled, streamed, resumed, and canceled', async () => {
    await startWorker();
    const client = new OpenAI({ apiKey: KEYS.alice, baseURL: `${rig.origin}/v1`, maxRetries: 0 });
    const created = await client.responses.create({ ...params, stream: false });
    expect(created.status).toBe('queued');
    await expect.poll(async () => (await client.responses.retrieve(created.id)).status, LONG).toBe('completed');
    expect((await client.responses.retrieve(created.id)).output_text).toBe('hello');

    const seen: string[] = [];
    let [id, last] = ['', -1];
    for await (const event of await client.responses.create({ ...params, stream: true })) {
      seen.push(JSON.stringify(event));
      last = event.sequence_number;
      if (event.type === 'response.created') ({ id } = event.response);
      if (event.type === 'response.in_progress') break;
    }
    for await (const event of await client.responses.retrieve(id, { stream: true, starting_after: last })) {
      seen.push(JSON.stringify(event));
    }
    const all: string[] = [];
    for await (const event of await client.responses.retrieve(id, { stream: true })) all.push(JSON.stringify(event));
    expect(seen).toEqual(all);
    const final = await client.responses.stream({ response_id: id }).finalResponse();
    expect(final).toMatchObject({ id, status: 'completed', output_text: 'hello' });

    upstream.script = () => undefined;
    const endless = await client.responses.create({ ...params, stream: false });
    await expect.poll(() => upstream.requests.length, LONG).toBe(3);
    expect((await client.responses.cancel(endless.id)).status).toBe('cancelled');
    await expect.poll(() => upstream.disconnects, LONG).toBe(1);
  });
});
