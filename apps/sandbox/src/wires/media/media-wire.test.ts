import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testVendor } from '../../../test/media-rig.ts';
import { WireError } from '../../http/wire-error.ts';
import { jobState, startOf } from '../../jobs/media-job.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';
import { createMediaWire, type MediaWireSpec } from './media-wire.ts';
import { openMediaScope } from './open-media-scope.ts';

let clock = 0;
let vendor = testVendor();
let app: FastifyInstance = fastify();
let origin = '';

const format: FormatError = (fault, detail) =>
  new WireError(fault === 'not_found' ? 404 : 400, fault, () => ({ fault, detail }));

async function serve(more: Partial<MediaVendor> = {}, spec: Partial<MediaWireSpec> = {}): Promise<void> {
  await app.close();
  vendor = testVendor({ now: () => clock, visibleAfterMs: 0, ...more });
  app = fastify({ forceCloseConnections: true });
  openMediaScope(app, { format });
  const wire = createMediaWire(vendor, { wire: 'vidu', format, ...spec });
  app.post<{ Body: { prompt?: string } }>('/jobs', (request, reply) => {
    const { prompt = '' } = request.body;
    return wire.submit(request, reply, {
      prompt,
      read() {
        if (prompt === '') throw format('refused');
        return { kind: 'video', model: 'm', prompt, seconds: 1, width: 32, height: 32, count: 1, inputs: [] };
      },
      response(job) {
        if (prompt.includes('then broken')) throw format('broken');
        return { id: job.id, startTimes: startOf(job) };
      },
    });
  });
  app.get('/jobs', () => wire.jobs().map(({ id }) => id));
  app.get<{ Params: { id: string } }>('/jobs/:id', (request, reply) => {
    const job = wire.find(request.params.id);
    return wire.poll(job, reply, { response: () => ({ ok: true }), garbled: () => ({ status: 'LIMBO' }) });
  });
  app.post<{ Params: { id: string } }>('/jobs/:id/cancel', (request) => {
    wire.cancel(wire.find(request.params.id));
    return {};
  });
  app.delete<{ Params: { id: string } }>('/jobs/:id', (request) => {
    wire.remove(wire.find(request.params.id));
    return {};
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
}

beforeEach(async () => {
  clock = 0;
  await serve();
});
afterEach(() => app.close());

function submit(prompt: string, task = prompt): Promise<Response> {
  const headers = { 'content-type': 'application/json', 'x-client-request-id': task };
  return fetch(`${origin}/jobs`, { method: 'POST', headers, body: JSON.stringify({ prompt }) });
}

async function json(response: Response | Promise<Response>): Promise<Record<string, unknown>> {
  const body: unknown = await (await response).json();
  return Object(body);
}

async function accepted(prompt: string): Promise<string> {
  return String((await json(submit(prompt))).id);
}

function poll(id: string): Promise<Response> {
  return fetch(`${origin}/jobs/${id}`);
}

/** Returns the vendor's responses to repeated submissions. */
async function faults(prompt: string, times: number): Promise<unknown[]> {
  const results: unknown[] = [];
  for (let turn = 0; turn < times; turn += 1) results.push((await json(submit(prompt))).fault ?? 'accepted');
  return results;
}

describe('a submission', () => {
  it('is accepted, counted for its task, and polled', async () => {
    expect(await json(poll(await accepted('kite')))).toEqual({ ok: true });
    expect(vendor.ledger.submissions('vidu')).toMatchObject([{ task: 'kite', applied: 1, refused: 0 }]);
  });

  it.each([
    ['[moderation]', ['moderation', 'moderation', 'moderation']],
    ['[refused]', ['refused', 'refused', 'refused']],
    ['[balance]', ['balance', 'balance', 'balance']],
    ['[503]', ['unavailable', 'accepted', 'accepted']],
    ['[429]', ['throttled', 'throttled', 'accepted']],
    ['[503][429]', ['unavailable', 'throttled', 'throttled']],
  ])('with %s gets %j', async (word, results) => {
    expect(await faults(`kite ${word}`, 3)).toEqual(results);
    const refused = results.filter((fault) => fault !== 'accepted').length;
    expect(vendor.ledger.submissions()).toMatchObject([{ applied: 3 - refused, refused }]);
    expect((await json(submit(`boat ${word}`))).fault).toBe(results[0]);
  });

  it('counts a rejection only if its task is known', async () => {
    expect((await submit('', 'task-1')).status).toBe(400);
    await fetch(`${origin}/jobs`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' });
    expect(vendor.ledger.submissions()).toMatchObject([{ task: 'task-1', refused: 1 }]);
  });

  it('with [lost-reply] is accepted each time, without a response', async () => {
    for (const turn of [1, 2]) {
      await expect(submit('kite [lost-reply]')).rejects.toThrow('fetch failed');
      expect(vendor.ledger.submissions()).toMatchObject([{ applied: turn, refused: 0 }]);
    }
  });

  it('with [lost-request] is not recorded the first time', async () => {
    await expect(submit('kite [lost-request]')).rejects.toThrow('fetch failed');
    expect(vendor.ledger.submissions()).toEqual([]);
    expect((await submit('kite [lost-request]')).status).toBe(200);
    await expect(submit('kite [lost-request]', 'other')).rejects.toThrow('fetch failed');
  });

  it('is not rejected by an error after it was accepted', async () => {
    expect((await submit('kite, then broken')).status).toBe(400);
    expect(vendor.ledger.submissions()).toMatchObject([{ applied: 1, refused: 0 }]);
  });
});

describe('a vendor with deferred checks', () => {
  it('accepts a job that will fail', async () => {
    await serve({}, { deferredChecks: ['moderation', 'refused'] });
    expect(await faults('kite [moderation]', 1)).toEqual(['accepted']);
    expect(await faults('kite [refused]', 1)).toEqual(['accepted']);
    expect(await faults('kite [balance]', 1)).toEqual(['balance']);
    const [job] = vendor.ledger.jobs('vidu');
    expect(job && jobState(job, 1000)).toMatchObject({ status: 'failed', cause: 'moderation' });
  });
});

describe('an account with a limit', () => {
  it('rejects jobs over the limit until one has ended or was removed', async () => {
    await serve({ concurrency: { vidu: 2 } });
    expect(await faults('kite', 3)).toEqual(['accepted', 'accepted', 'concurrency']);
    clock = 1000;
    expect(await faults('kite', 3)).toEqual(['accepted', 'accepted', 'concurrency']);
    const [id = ''] = vendor.ledger.unfinished('vidu', clock).map((job) => job.id);
    await fetch(`${origin}/jobs/${id}`, { method: 'DELETE', headers: { 'content-type': 'application/json' } });
    expect(await faults('kite', 2)).toEqual(['accepted', 'concurrency']);
    expect(vendor.ledger.maxRunning()).toEqual({ vidu: 2 });
  });

  it('frees the slot of a canceled job, which remains visible', async () => {
    await serve({ concurrency: { vidu: 1 } });
    const id = await accepted('kite');
    await fetch(`${origin}/jobs/${id}/cancel`, { method: 'POST' });
    expect(await faults('kite', 2)).toEqual(['accepted', 'concurrency']);
    expect(vendor.ledger.find('vidu', id)).toMatchObject({ canceledAt: 0 });
    expect((await poll(id)).status).toBe(200);
  });

  it('queues jobs over the limit, if the vendor API does', async () => {
    await serve({ concurrency: { vidu: 1 } }, { overLimit: 'wait' });
    const startTimes: unknown[] = [];
    for (let turn = 0; turn < 3; turn += 1) startTimes.push((await json(submit('kite'))).startTimes);
    expect(startTimes).toEqual([0, 1000, 2000]);
    expect(vendor.ledger.maxRunning()).toEqual({ vidu: 1 });
  });
});

describe('a poll', () => {
  it('fails twice with [500], for each job separately', async () => {
    for (const id of [await accepted('kite [500]'), await accepted('kite [500]')]) {
      const results: unknown[] = [];
      for (let turn = 0; turn < 3; turn += 1) results.push((await json(poll(id))).fault);
      expect(results).toEqual(['broken', 'broken', undefined]);
    }
  });

  it('returns three kinds of invalid responses with [garbage]', async () => {
    const id = await accepted('kite [garbage]');
    expect(await json(poll(id))).toEqual({ status: 'LIMBO' });
    const page = await poll(id);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html']);
    const half = await poll(id);
    expect([half.status, await half.text()]).toEqual([200, '{"status"']);
    expect(await json(poll(id))).toEqual({ ok: true });
  });

  it('neither finds nor lists a job that is not visible yet', async () => {
    await serve({ visibleAfterMs: 100 });
    const id = await accepted('kite');
    clock = 99;
    expect(await json(poll(id))).toEqual({ fault: 'not_found', detail: id });
    expect(await (await fetch(`${origin}/jobs`)).json()).toEqual([]);
    clock = 100;
    expect((await poll(id)).status).toBe(200);
    expect(await (await fetch(`${origin}/jobs`)).json()).toEqual([id]);
  });
});
