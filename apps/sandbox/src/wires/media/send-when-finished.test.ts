import { fastify, type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testVendor } from '../../../test/media-rig.ts';
import { WireError } from '../../http/wire-error.ts';
import type { FormatError } from './format-error.ts';
import type { MediaVendor } from './media-vendor.ts';
import { createMediaWire } from './media-wire.ts';
import { openMediaScope } from './open-media-scope.ts';

const format: FormatError = (fault) => new WireError(400, fault, () => ({ fault }));
let vendor = testVendor();
let app: FastifyInstance = fastify();
let origin = '';

async function serve(more: Partial<MediaVendor> = {}, inline = true): Promise<void> {
  await app.close();
  vendor = testVendor({ renderMs: 20, ...more });
  app = fastify({ forceCloseConnections: true });
  openMediaScope(app, { format });
  const wire = createMediaWire(vendor, { wire: 'images', format, hasLag: false });
  app.post<{ Body: { prompt: string } }>('/', (request, reply) => {
    const { prompt } = request.body;
    return wire.submitAndWait(request, reply, {
      prompt,
      read: () => ({ kind: 'image', model: 'm', prompt, seconds: 0, width: 8, height: 8, count: 3, inputs: [] }),
      body(_job, state) {
        if (state.status === 'completed') return { outputs: state.outputs };
        throw new WireError(500, 'failed', () => state);
      },
      garbled: () => ({ limbo: true }),
      isInline: () => inline,
    });
  });
  origin = await app.listen({ host: '127.0.0.1', port: 0 });
}

beforeEach(() => serve());
afterEach(() => app.close());

function submit(prompt: string, signal: AbortSignal | null = null): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(origin, { method: 'POST', headers, body: JSON.stringify({ prompt }), signal });
}

async function textsOf(prompt: string, times: number): Promise<string[]> {
  const texts: string[] = [];
  for (let turn = 0; turn < times; turn += 1) texts.push(await (await submit(prompt)).text());
  return texts;
}

describe('a vendor that responds when the job is done', () => {
  it('waits for the render time even if a timer fires early', async () => {
    await serve({ renderMs: 120, now: () => 0 });
    const before = performance.now();
    expect(await (await submit('kites')).json()).toEqual({ outputs: [0, 1, 2] });
    expect(performance.now() - before).toBeGreaterThan(110);
  });

  it.each([
    ['[partial]', { outputs: [0, 1] }],
    ['[nothing]', { outputs: [] }],
    ['[fail]', { status: 'failed', cause: 'error' }],
    ['[moderated-output]', { status: 'failed', cause: 'moderation' }],
    ['[moderation]', { fault: 'moderation' }],
  ])('responds %s depending on how the job ended', async (word, body) => {
    expect(await (await submit(`kites ${word}`)).json()).toMatchObject(body);
  });

  it('fails the first two responses of a task with [500] after accepting the jobs', async () => {
    const success = '{"outputs":[0,1,2]}';
    const broken = '{"fault":"broken"}';
    expect(await textsOf('kites [500]', 3)).toEqual([broken, broken, success]);
    expect(await textsOf('boats [500]', 1)).toEqual([broken]);
    expect(vendor.ledger.submissions()).toMatchObject([{ applied: 3, refused: 0 }, { applied: 1 }]);
  });

  it('returns three kinds of invalid responses with [garbage]', async () => {
    const [words, page, half, success] = await textsOf('kites [garbage]', 4);
    expect([words, half, success]).toEqual(['{"limbo":true}', '{"limbo', '{"outputs":[0,1,2]}']);
    expect(page).toContain('<html>');
  });

  it('cuts off only responses that contain the files with [cut]', async () => {
    for (const turn of [1, 2]) {
      const response = await submit('kites [cut]');
      await expect(response.text(), `response ${turn}`).rejects.toThrow('terminated');
    }
    expect((await submit('kites [cut]')).status).toBe(200);
    await serve({}, false);
    expect(await textsOf('kites [cut]', 1)).toEqual(['{"outputs":[0,1,2]}']);
  });

  it('never responds to [stall], and renders after its client disconnects', async () => {
    await expect(submit('kites [stall]', AbortSignal.timeout(60))).rejects.toThrow('aborted');
    await expect(submit('kites [lost-reply]')).rejects.toThrow('fetch failed');
    expect(vendor.ledger.submissions()).toMatchObject([{ applied: 1 }, { applied: 1 }]);
  });
});
