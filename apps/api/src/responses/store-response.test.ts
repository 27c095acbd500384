import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedUpstream, scriptedUpstream, sendJson, type TextRig, textRig } from '../../test/text-rig.ts';
import { modelResponse, vendorConfig } from '../../test/vendor.ts';

const ID = 'resp_running';
const event = (type: string, more: object) => `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`;
const running = modelResponse(ID, '', { status: 'in_progress', output: [] });
const created = event('response.created', { response: running });
const item = event('response.output_item.done', { output_index: 0, item: modelResponse(ID, 'one').output[0] });
const failed = event('response.failed', { response: { ...running, status: 'failed', error: { message: 'no' } } });

let upstream: ScriptedUpstream;
let rig: TextRig;
/** Appends text to the open stream. */
let say: (text: string) => void;
let abortResponse: () => void;
/** The first part of the stream. */
let first: string;
beforeEach(async () => {
  first = created;
  upstream = await scriptedUpstream(({ path }, response) => {
    if (!path.endsWith('/responses')) return sendJson(response, 200, running);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(first);
    say = (text) => void response.write(text);
    abortResponse = () => void response.socket?.destroy();
  });
  rig = await textRig(vendorConfig(upstream.url));
});
afterEach(async () => {
  await rig.close();
  await upstream.close();
});

async function open(more: object): Promise<{ until: (text: string) => Promise<void>; disconnect: () => void }> {
  const controller = new AbortController();
  const body = { model: 'by-responses', input: 'one', stream: true, ...more };
  const reply = await rig.post('/v1/responses', body, { signal: controller.signal });
  const reader = reply.body?.getReader();
  let read = '';
  return {
    disconnect: () => controller.abort(),
    async until(text) {
      while (!read.includes(text)) {
        const next = await reader?.read();
        if (!next || next.done) throw new Error(`it ended without ${text}`);
        read += Buffer.from(next.value).toString();
      }
    },
  };
}

const statusOf = async (rest = '', method = 'GET') => (await rig.call(`/v1/responses/${ID}${rest}`, { method })).status;

describe('a streamed background response that its vendor stores', () => {
  it('can be read and canceled during generation, even without its client', async () => {
    const stream = await open({ background: true });
    await stream.until('response.created');
    expect([await statusOf(), await statusOf('/cancel', 'POST')]).toEqual([200, 200]);
    stream.disconnect();
    await expect.poll(() => upstream.disconnects).toBe(1);
    expect([await statusOf(), await statusOf('/cancel', 'POST')]).toEqual([200, 200]);
  });

  it('can be read if its stream starts with another event', async () => {
    first = ': hello\n\n';
    const stream = await open({ background: true });
    say(created);
    await stream.until('response.created');
    await expect.poll(() => statusOf()).toBe(200);
  });
});

describe('a streamed response that its vendor stores', () => {
  it.each([
    ['its client disconnected', async (stream: { disconnect: () => void }) => stream.disconnect()],
    ['it failed', async () => say(failed)],
    ['it broke off', async () => abortResponse()],
  ])('can be read with its items when %s', async (_why, end) => {
    const stream = await open({});
    say(item);
    await stream.until('output_item.done');
    await end(stream);
    await expect.poll(() => statusOf()).toBe(200);
    const input = [{ type: 'item_reference', id: `msg_of_${ID}` }];
    const next = await open({ input });
    await next.until('response.created');
    next.disconnect();
  });

  it('has no owner with `store: false`', async () => {
    const stream = await open({ store: false });
    await stream.until('response.created');
    stream.disconnect();
    await expect.poll(() => upstream.disconnects).toBe(1);
    await expect.poll(() => rig.logs()).toContain('"aborted":true');
    expect(await statusOf()).toBe(404);
  });
});
