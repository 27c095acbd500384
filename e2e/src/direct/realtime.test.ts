import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import tls from 'node:tls';
import OpenAI from 'openai';
import { OpenAIRealtimeWebSocket } from 'openai/realtime/websocket';
import { OpenAIRealtimeWS } from 'openai/realtime/ws';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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

function connect(of: Stack = stack): Promise<RealtimeClient> {
  return openRealtime(`${of.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`, bearer);
}

function logOf({ dir }: Stack): Promise<string> {
  return readFile(path.join(dir, 'api.log'), 'utf8');
}

/** Memory of the API process, bytes. */
async function residentBytes({ api }: Stack): Promise<number> {
  const status = await readFile(`/proc/${api.process.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}

/** Tokens of all answers so far. */
async function tokens(): Promise<number> {
  const metrics = await (await fetch(`${stack.origin}/metrics`)).text();
  const counts = metrics.matchAll(/sluice_text_tokens_total\{upstream="openai",direction="\w+"\} (\d+)/g);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

describe('a realtime session', () => {
  it('is opened by header, answers in text, and is counted', async () => {
    const before = await tokens();
    const client = await connect();
    expect((await client.recorded('session.created')).session?.model).toBe('my-voice');
    client.say({ type: 'session.update', session: { type: 'realtime', model: 'my-voice', instructions: 'be kind' } });
    expect((await client.recorded('session.updated')).session?.model).toBe('my-voice');
    client.ask('the first words');
    const { response } = await client.recorded('response.done');
    expect(response?.status).toBe('completed');
    const said = client.events.filter(({ type }) => type === 'response.output_text.delta');
    expect(said.map(({ delta }) => delta).join('')).toBe('You said: the first words');
    client.socket.close(1000);
    expect((await client.closed)[0]).toBe(1000);
    expect((await tokens()) - before).toBe(response?.usage?.total_tokens);
    await expect.poll(() => logOf(stack)).toContain('"closed_by":"client"');
  });

  it('is opened by a sub-protocol, and answers in sound', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`;
    const client = await openRealtime(url, {}, ['realtime', `openai-insecure-api-key.${KEY}`]);
    expect(client.socket.protocol).toBe('realtime');
    client.ask('sing', 'audio');
    await client.recorded('response.done');
    const sound = client.events.filter(({ type }) => type === 'response.output_audio.delta');
    const bytes = sound.reduce((sum, { delta }) => sum + Buffer.from(delta ?? '', 'base64').length, 0);
    expect(bytes).toBeGreaterThan(10_000);
    client.socket.close();
  });

  it('that only writes down is opened without naming a model to the vendor', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice&intent=transcription`;
    const client = await openRealtime(url, bearer);
    expect((await client.recorded('session.created')).session).toMatchObject({ type: 'transcription' });
    const session = { type: 'transcription', audio: { input: { transcription: { model: 'whisper-1' } } } };
    client.say({ type: 'session.update', session });
    await client.recorded('session.updated');
    client.socket.close();
  });

  it('uses the beta on request', async () => {
    const url = `${stack.origin.replace('http', 'ws')}/v1/realtime?model=my-voice`;
    const headers = { ...bearer.headers, 'openai-beta': 'realtime=v1' };
    const client = await openRealtime(url, { headers });
    await client.recorded('conversation.created');
    client.socket.close();
  });

  it.each(['OpenAIRealtimeWS', 'OpenAIRealtimeWebSocket'] as const)(
    'serves %s of openai-node over TLS',
    async (name) => {
      // Browser-style sockets take no certificates of their own.
      tls.setDefaultCACertificates([...tls.getCACertificates(), front.cert]);
      const sdk = new OpenAI({ apiKey: KEY, baseURL: `${front.origin}/v1` });
      const realtime =
        name === 'OpenAIRealtimeWS'
          ? new OpenAIRealtimeWS({ model: 'my-voice' }, sdk)
          : new OpenAIRealtimeWebSocket({ model: 'my-voice' }, sdk);
      expect(realtime.url.protocol).toBe('wss:');
      const text = await new Promise<string>((resolve, reject) => {
        let said = '';
        realtime.on('error', reject);
        realtime.on('session.created', () => {
          const content = [{ type: 'input_text' as const, text: 'hello from the SDK' }];
          realtime.send({ type: 'conversation.item.create', item: { type: 'message', role: 'user', content } });
          realtime.send({ type: 'response.create', response: { output_modalities: ['text'] } });
        });
        realtime.on('response.output_text.delta', ({ delta }) => (said += delta));
        realtime.on('response.done', () => resolve(said));
      });
      expect(text).toBe('You said: hello from the SDK');
      realtime.close();
    },
  );

  it('keeps the order of ten thousand events each way', async () => {
    const client = await connect();
    const wanted = Array.from({ length: 10_000 }, (_, at) => `e${at}`);
    // The sandbox answers each with an error that names it.
    for (const event_id of wanted) client.say({ type: 'conversation.item.retrieve', event_id, item_id: 'none' });
    await client.recorded('error', 10_000);
    const answered = client.events.filter(({ type }) => type === 'error').map(({ error }) => error?.event_id);
    expect(answered).toEqual(wanted);
    client.socket.close();
  });

  it('holds the vendor back for a slow reader, in bounded memory', async () => {
    const client = await connect();
    await client.recorded('session.created');
    const before = await residentBytes(stack);
    let max = before;
    const watch = setInterval(() => void residentBytes(stack).then((now) => (max = Math.max(max, now))), 50);
    client.ask('[flood:512] enough');
    let bytes = 0;
    client.socket.on('message', (data) => (bytes += (data as Buffer).length)); // `ws` gives a buffer
    client.socket.pause();
    await wait(1_500);
    expect(bytes).toBeLessThan(16 * MEBIBYTE);
    client.socket.resume();
    expect((await client.recorded('response.done')).response?.status).toBe('completed');
    clearInterval(watch);
    expect(bytes).toBeGreaterThan(512 * MEBIBYTE);
    // Far less than what went through; garbage that is not collected yet is in it.
    expect(max - before).toBeLessThan(192 * MEBIBYTE);
    client.socket.close();
  }, 60_000);

  it('passes bytes and what is no JSON on as they are', async () => {
    const client = await connect();
    client.ask('[binary] please');
    await client.recorded('response.done');
    expect(client.binary).toHaveLength(1);
    client.socket.close();
  });

  it.each([1000, 4001])('carries the vendor’s close %i over', async (code) => {
    const client = await connect();
    client.ask(`bye [close:${code}]`);
    expect(await client.closed).toEqual([code, 'as asked for']);
  });

  it('reports that the vendor broke off, with an event and 1011', async () => {
    const client = await connect();
    client.ask('[cut] off');
    expect((await client.closed)[0]).toBe(1011);
    expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'provider_error' } });
  });

  it('closes with 1009 on a client’s oversized frame', async () => {
    const client = await connect();
    client.socket.send(Buffer.alloc(33 * MEBIBYTE));
    expect((await client.closed)[0]).toBe(1009);
  });

  it('leaves no key, and no word of a session, in any log line', async () => {
    await wait(200);
    const log = await logOf(stack);
    expect(log).toContain('"path":"/v1/realtime?model=my-voice"');
    for (const secret of [KEY, VENDOR_KEY, 'the first words', 'You said']) expect(log).not.toContain(secret);
  });
});

describe('the end of a process with open sessions', () => {
  it('closes idle sessions with a reason', async () => {
    const own = await startStack({ workers: 0, configFor, config: { timeouts: { realtime_idle_ms: 400 } } });
    try {
      const client = await connect(own);
      expect(await client.closed).toEqual([1000, 'session_idle']);
      expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'session_idle' } });
    } finally {
      await own.close();
    }
  });

  it('is in time on SIGTERM and notifies every session, also one that does not listen', async () => {
    const own = await startStack({ workers: 0, configFor });
    try {
      const [client, deaf] = await Promise.all([connect(own), connect(own)]);
      await client.recorded('session.created');
      deaf.socket.pause();
      const began = performance.now();
      const exited = once(own.api.process, 'exit');
      own.api.process.kill('SIGTERM');
      expect(await client.closed).toEqual([1001, 'server_stopping']);
      expect(client.events.at(-1)).toMatchObject({ type: 'error', error: { code: 'server_stopping' } });
      expect(await exited).toEqual([0, null]);
      const ends = (await logOf(own)).split('\n').filter((line) => line.includes('"closed_by":"gateway"'));
      expect(ends).toHaveLength(2);
      // Three seconds are what the configuration of the stack grants.
      expect(performance.now() - began).toBeLessThan(5_000);
      deaf.socket.terminate();
    } finally {
      await own.close();
    }
  });
});
