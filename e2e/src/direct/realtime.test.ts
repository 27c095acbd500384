import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { residentBytes } from '../processes.ts';
import { KEY, type Stack, startStack, VENDOR_KEY } from '../stack.ts';
import { openRealtime, type RealtimeClient } from './realtime-client.ts';
import { startTlsFront, type TlsFront } from './tls-front.ts';

const MEBIBYTE = 1024 * 1024;
const configFor = (sandboxUrl: string) => ({
  upstreams: { openai: { kind: 'chat-completions', base_url: `${sandboxUrl}/v1`, api_key: VENDOR_KEY } },
  models: [{ id: 'my-voice', routes: [{ upstream: 'openai', model: 'sandbox-realtime' }] }],
});

let stack: Stack;
let front: TlsFront;
beforeAll(async () => {
  stack = await startStack({ workers: 0, configFor });
  front = await startTlsFront(Number(new URL(stack.origin).port));
});
afterAll(async () => {
  await front.close();
  await stack.close();
});

const bearer = { headers: { authorization: `Bearer ${KEY}` } };

function connect(to: Stack = stack): Promise<RealtimeClient> {
  return openRealtime(`${to.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`, bearer);
}

function logOf({ dir }: Stack): Promise<string> {
  return readFile(path.join(dir, 'api.log'), 'utf8');
}

const apiBytes = () => residentBytes(stack.api.process.pid);

/** Returns the recorded number of tokens. */
async function tokens(): Promise<number> {
  const metrics = await (await fetch(`${stack.origin}/metrics`)).text();
  const counts = metrics.matchAll(/sluice_text_tokens_total\{upstream="openai",direction="\w+"\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('a realtime session', () => {
  it('opens with a header, responds with text, and counts tokens', async () => {
    const before = await tokens();
    const client = await connect();
    expect((await client.event('session.created')).session?.model).toBe('my-voice');
    client.send({ type: 'session.update', session: { type: 'realtime', model: 'my-voice', instructions: 'be kind' } });
    expect((await client.event('session.updated')).session?.model).toBe('my-voice');
    client.request('the first words');
    const { response } = await client.event('response.done');
    expect(response?.status).toBe('completed');
    const deltas = client.events.filter(({ type }) => type === 'response.output_text.delta');
    expect(deltas.map(({ delta }) => delta).join('')).toBe('You said: the first words');
    client.socket.close(1000);
    expect((await client.closed)[0]).toBe(1000);
    expect((await tokens()) - before).toBe(response?.usage?.total_tokens);
    await expect.poll(() => logOf(stack)).toContain('"closed_by":"client"');
  });

  it('opens with a sub-protocol and responds with audio', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`;
    const client = await openRealtime(url, {}, ['realtime', `openai-insecure-api-key.${KEY}`]);
    expect(client.socket.protocol).toBe('realtime');
    client.request('sing', 'audio');
    await client.event('response.done');
    const audio = client.events.filter(({ type }) => type === 'response.output_audio.delta');
    const bytes = audio.reduce((sum, { delta }) => sum + Buffer.from(delta ?? '', 'base64').length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    client.socket.close();
  });

  it('for transcription opens without a model at the vendor', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice&intent=transcription`;
    const client = await openRealtime(url, bearer);
    expect((await client.event('session.created')).session).toMatchObject({ type: 'transcription' });
    const session = { type: 'transcription', audio: { input: { transcription: { model: 'whisper-1' } } } };
    client.send({ type: 'session.update', session });
    await client.event('session.updated');
    client.socket.close();
  });

  it('uses the beta on request', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`;
    const headers = { ...bearer.headers, 'openai-beta': 'realtime=v1' };
    const client = await openRealtime(url, { headers });
    await client.event('conversation.created');
    client.socket.close();
  });

  it.each(['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket'] as const)(
    'serves %s of openai-node over TLS',
    async (name) => {
      // Browser-style WebSocket clients have no option for certificates.
      tls.setDefaultCACertificates([...tls.getCACertificates(), front.cert]);
      const sdk = new OpenAI({ apiKey: KEY, baseURL: `${front.origin}/v1` });
      const realtime =
        name === 'OpenAIRealtimeWS'
          ? new OpenAIRealtimeWS({ model: 'my-voice' }, sdk)
          : new OpenAIRealtimeWebSocket({ model: 'my-voice' }, sdk);
      expect(realtime.url.protocol).toBe('wss:');
      const text = await new Promise<string>((resolve, reject) => {
        let received = '';
        realtime.on('error', reject);
        realtime.on('session.created', () => {
          const content = [{ type: 'input_text' as const, text: 'hello from the SDK' }];
          realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
          realtime.send({ type: 'response.create', response: { output_modalities: ['text'] } });
        });
        realtime.on('response.output_text.delta', ({ delta }) => (received += delta));
        realtime.on('response.done', () => resolve(received));
      });
      expect(text).toBe('You said: hello from the SDK');
      realtime.close();
    },
  );

  it('preserves the order of 10,000 events in each direction', async () => {
    const client = await connect();
    const ids = Array.from({ length: 10_000 }, (_, at) => `e${at}`);
    // The sandbox responds to each of these events with an error that contains the event's id.
    for (const event_id of ids) client.send({ type: 'conversation.item.retrieve', event_id, item_id: 'none' });
    await client.event('error', 10_000);
    const received = client.events.filter(({ type }) => type === 'error').map(({ error }) => error?.event_id);
    expect(received).toEqual(ids);
    client.socket.close();
  });

  it('applies backpressure to the vendor for a slow reader, in bounded memory', async () => {
    const client = await connect();
    await client.event('session.created');
    const before = apiBytes();
    let max = before;
    const watch = setInterval(() => (max = Math.max(max, apiBytes())), 50);
    client.request('[flood:512] enough');
    let bytes = 0;
    // The cast is safe because `ws` passes a buffer.
    client.socket.on('message', (data) => (bytes += (data as Buffer).length));
    client.socket.pause();
    await wait(1_500);
    expect(bytes).toBeLessThan(16 * MEBIBYTE);
    client.socket.resume();
    expect((await client.event('response.done')).response?.status).toBe('completed');
    clearInterval(watch);
    expect(bytes).toBeGreaterThan(512 * MEBIBYTE);
    // The limit is far below the number of transferred bytes. The growth includes uncollected garbage.
    expect(max - before).toBeLessThan(192 * MEBIBYTE);
    client.socket.close();
  }, 180_000);

  it('relays binary frames unchanged', async () => {
    const client = await connect();
    client.request('[binary] please');
    await client.event('response.done');
    expect(client.binary).toHaveLength(1);
    client.socket.close();
  });

  it.each([1000, 4001])('relays the vendor’s close code %i', async (code) => {
    const client = await connect();
    client.request(`bye [close:${code}]`);
    expect(await client.closed).toEqual([code, 'requested by a directive']);
  });

  it('reports a vendor disconnect with an event and close code 1011', async () => {
    const client = await connect();
    client.request('[cut] off');
    expect((await client.closed)[0]).toBe(1011);
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
  });

  it('closes with 1009 after an oversized frame of the client', async () => {
    const client = await connect();
    client.socket.send(Buffer.alloc(33 * MEBIBYTE));
    expect((await client.closed)[0]).toBe(1009);
  });

  it('writes no key and no text of a session to the log', async () => {
    await wait(200);
    const log = await logOf(stack);
    expect(log).toContain('"path":"/v1/realtime?model=my-voice"');
    for (const secret of [KEY, VENDOR_KEY, 'the first words', 'You said']) expect(log).not.toContain(secret);
  });
});

describe('the end of a process with open sessions', () => {
  it('closes idle sessions with a reason', async () => {
    const separate = await startStack({ workers: 0, configFor, config: { timeouts: { realtime_idle_ms: 400 } } });
    try {
      const client = await connect(separate);
      expect(await client.closed).toEqual([1000, 'session_idle']);
      expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_idle' } });
    } finally {
      await separate.close();
    }
  });

  it('is fast after SIGTERM and notifies every session, even if its client does not read', async () => {
    const separate = await startStack({ workers: 0, configFor });
    try {
      const [client, paused] = await Promise.all([connect(separate), connect(separate)]);
      await client.event('session.created');
      paused.socket.pause();
      const startedAt = performance.now();
      const exited = once(separate.api.process, 'exit');
      separate.api.process.kill('SIGTERM');
      expect(await client.closed).toEqual([1001, 'server_stopping']);
      expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'server_stopping' } });
      expect(await exited).toEqual([0, null]);
      const ends = (await logOf(separate)).split('\n').filter((line) => line.includes('"closed_by":"gateway"'));
      expect(ends).toHaveLength(2);
      // The stack's configuration sets a limit of three seconds. A busy machine needs longer to exit.
      expect(performance.now() - startedAt).toBeLessThan(20_000);
      paused.socket.terminate();
    } finally {
      await separate.close();
    }
  });
});
