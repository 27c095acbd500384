import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deltasOf, realtimeCaller, type RealtimeCaller } from '../../../test/realtime-caller.ts';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
const call = wireCaller(() => sandbox.url, { authorization: 'Bearer sk-sandbox' });
beforeEach(() => call('GET', '/_sandbox/requests?clear=1'));
const seen = async () => at((await call('GET', '/_sandbox/requests')).body, 'requests.0');

async function object(text: string): Promise<RealtimeCaller> {
  const caller = await realtimeCaller(sandbox.url, {});
  const content = [{ type: 'input_text', text }];
  caller.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['text'] } });
  caller.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
  caller.send({ type: 'response.create' });
  await caller.until('response.created');
  return caller;
}

describe('directives', () => {
  it('fail responses in the realtime API’s format', async () => {
    const caller = await object('kite [overloaded]');
    expect((await caller.until('response.done')).at(-1)).toMatchObject({
      response: { status: 'failed', status_details: { type: 'failed', error: { code: 'server_error' } } },
    });
    caller.close();
  });

  it('close with a code, or drop the connection without one', async () => {
    const closing = await object('kite [close:4001]');
    expect((await closing.until('response.done')).at(-2)).toMatchObject({
      item: { content: [{ text: 'You said: kite' }] },
    });
    expect(await closing.closed).toBe(4001);
    const cut = await object('one two three four [cut]');
    expect(await cut.closed).toBe(1006);
    await vi.waitFor(async () => expect(await seen()).toMatchObject({ left: false, status: 101 }), 30_000);
  });

  it('send frames that are not events', async () => {
    const caller = await object('kite [binary] [garbage]');
    const [binary, garbled] = await caller.receive(2);
    expect(binary).toEqual(Buffer.from([0, 1, 2, 3]));
    expect(garbled).toBe('<html><body>It works!</body></html>');
    expect((await caller.until('response.done')).at(-2)).toMatchObject({
      item: { content: [{ text: 'You said: kite' }] },
    });
    caller.close();
  });

  it.each(['[flood:10000]', '[long:1000] [drip:20]', '[long:500000]'])('stop when %s is canceled', async (word) => {
    const caller = await object(word);
    const [first] = (await caller.until('response.output_text.delta')).slice(-1);
    caller.send({ type: 'response.cancel' });
    const events = await caller.until('response.done');
    const sentText = deltasOf([first, ...events])
      .filter((delta) => !delta.startsWith('AAAA'))
      .join('');
    expect(events.at(-1)).toMatchObject({
      response: { status: 'cancelled', output: [{ status: 'incomplete', content: [{ text: sentText }] }] },
    });
    caller.close();
  });

  it('flood no faster than the client reads', async () => {
    const before = process.memoryUsage().rss;
    const caller = await object('kite [flood:100]');
    caller.socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(60);
    caller.socket.resume();
    let bytes = 0;
    for (const event of await caller.until('response.done')) bytes += deltasOf([event]).join('').length;
    expect(bytes).toBeGreaterThanOrEqual(100 * 1024 ** 2);
    caller.close();
  });
});
