import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { KEYS } from '../../../api/test/api-rig.ts';
import { chatChunk, sendJson, textRig } from '../../../api/test/text-rig.ts';
import { respondWith, vendorConfig } from '../../../api/test/vendor.ts';
import {
  eventsOf,
  LONG,
  numbersOf,
  params,
  typesOf,
  useBackgroundApi,
} from '../../../api/test/background/background-api.ts';

const done = `${chatChunk({}, 'stop')}data: [DONE]\n\n`;
const { api, startWorker, create, retrieve, ended, stream } = useBackgroundApi();

describe('the stream of a background response', () => {
  it('is the same for each client, from any event, in any process, during and after the run', async () => {
    await startWorker();
    let send: ((text: string) => void) | undefined;
    const isOpen = Promise.withResolvers<void>();
    api.upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      send = (text) => void response.write(text);
      isOpen.resolve();
    };
    const other = await textRig(vendorConfig(api.upstream.url), { prefix: api.rig.tasks.prefix });
    try {
      const whole = api.rig.post('/v1/responses', { ...params, stream: true }).then((reply) => reply.text());
      await isOpen.promise;
      const [key = ''] = await api.redis.keys(`{${api.rig.config.redis.prefix}}:text:job:*`);
      const id = (await api.redis.hget(key, 'id')) ?? '';
      const live = [stream(id, undefined, other), stream(id, 1, other)];
      for (const content of ['one ', 'tw', 'o é😀']) send?.(chatChunk({ content }));
      await expect.poll(async () => (await api.redis.hget(key, 'next')) ?? '', LONG).toMatch(/^[5-9]/);
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
    api.upstream.script = (request, response) => void gate.promise.then(() => respond(request, response));
    await startWorker();
    const controller = new AbortController();
    const reply = await api.rig.post('/v1/responses', { ...params, stream: true }, controller);
    const first = await reply.body?.getReader().read();
    const [, id = ''] = /"id":"(resp_\w+)"/.exec(Buffer.from(first?.value ?? []).toString()) ?? [];
    controller.abort();
    await expect.poll(() => api.upstream.requests.length, LONG).toBe(1);
    gate.resolve();
    expect(typesOf(await stream(id, 1)).at(-1)).toBe('response.completed');
    expect(api.upstream.disconnects).toBe(0);
  });

  it('is refused for other responses, and for invalid numbers', async () => {
    const { id } = await create({ background: false });
    expect((await api.rig.call(`/v1/responses/${id}?stream=true`)).status).toBe(400);
    const queued = await create();
    for (const query of ['starting_after=-1', 'starting_after=x', 'starting_after=1.5', 'starting_after=2']) {
      const reply = await api.rig.call(`/v1/responses/${queued.id}?stream=true&${query}`);
      expect(reply.status).toBe(400);
      expect(await reply.json()).toMatchObject({ error: { param: 'starting_after' } });
    }
  });
});

describe('a run', () => {
  it('can take many times as long as its lease and the timeouts of its call', LONG, async () => {
    const shortMs = 1_500;
    const timeouts = { ...api.rig.config.timeouts, text_first_ms: shortMs, text_idle_ms: shortMs };
    const contents = Array.from({ length: 16 }, (_, number) => `${number} `);
    api.upstream.script = (_request, response) => {
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
    for (let count = 0; count < 2; count += 1) await startWorker({ ...api.rig.config, timeouts }, { leaseMs: shortMs });
    const { id } = await create();
    expect(JSON.stringify(await ended(id))).toContain(contents.join(''));
    expect(api.upstream.requests).toHaveLength(1);
  });
});

describe('a background response', () => {
  it('is canceled or deleted while it waits, and is never run', async () => {
    const [canceled, deleted] = [await create(), await create()];
    const reply = await api.rig.call(`/v1/responses/${canceled.id}/cancel`, { method: 'POST' });
    expect(await reply.json()).toMatchObject({ id: canceled.id, status: 'cancelled' });
    expect((await api.rig.call(`/v1/responses/${deleted.id}`, { method: 'DELETE' })).status).toBe(200);
    await startWorker();
    await ended((await create()).id);
    expect(api.upstream.requests).toHaveLength(1);
    expect((await retrieve(canceled.id)).status).toBe('cancelled');
    expect((await api.rig.call(`/v1/responses/${deleted.id}`)).status).toBe(404);
    expect(typesOf(await stream(canceled.id))).toEqual(['response.created', 'response.queued', 'response.cancelled']);
  });

  it.each([
    ['canceled', '/cancel', 'POST'],
    ['deleted', '', 'DELETE'],
  ])('that runs is %s, which aborts the upstream call', async (_, suffix, method) => {
    api.upstream.script = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(chatChunk({ content: 'so far' }));
    };
    await startWorker();
    const { id } = await create();
    await expect.poll(() => api.upstream.requests.length, LONG).toBe(1);
    const following = stream(id);
    expect((await api.rig.call(`/v1/responses/${id}${suffix}`, { method })).status).toBe(200);
    await expect.poll(() => api.upstream.disconnects, LONG).toBe(1);
    const text = await following;
    if (method === 'DELETE') expect((await api.rig.call(`/v1/responses/${id}`)).status).toBe(404);
    else {
      expect(typesOf(text).at(-1)).toBe('response.cancelled');
      expect((await retrieve(id)).status).toBe('cancelled');
    }
  });

  it('has failed if the request fails at its upstream, with a public message', async () => {
    api.upstream.script = (_request, response) =>
      sendJson(response, 401, { error: { message: 'bad key sk-vendor-x' } });
    const worker = await startWorker();
    const { id } = await create();
    const { error } = await ended(id, 'failed');
    expect(error?.code).toBe('provider_auth');
    expect(error?.message).not.toContain('sk-vendor');
    expect(worker.logs()).not.toContain('sk-vendor-x');
    const late = await api.rig.call(`/v1/responses/${id}/cancel`, { method: 'POST' });
    expect(await late.json()).toMatchObject({
      error: { message: expect.stringMatching(/ended with status `failed`/) },
    });
  });

  it('works with the SDK of OpenAI: created, polled, streamed, resumed, and canceled', async () => {
    await startWorker();
    const client = new OpenAI({ apiKey: KEYS.alice, baseURL: `${api.rig.origin}/v1`, maxRetries: 0 });
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

    api.upstream.script = () => undefined;
    const endless = await client.responses.create({ ...params, stream: false });
    await expect.poll(() => api.upstream.requests.length, LONG).toBe(3);
    expect((await client.responses.cancel(endless.id)).status).toBe('cancelled');
    await expect.poll(() => api.upstream.disconnects, LONG).toBe(1);
  });
});
