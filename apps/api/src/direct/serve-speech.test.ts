import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { audioUpstream, type AudioUpstream } from '../../test/audio-rig.ts';
import { type TextRig, textRig } from '../../test/text-rig.ts';

let first: AudioUpstream;
let second: AudioUpstream;
let rig: TextRig;
beforeAll(async () => {
  first = await audioUpstream((_request, response) => response.end());
  second = await audioUpstream((_request, response) => response.end());
  const account = { kind: 'chat-completions', api_key: 'sk-vendor-1' };
  rig = await textRig({
    upstreams: { first: { ...account, base_url: first.url }, second: { ...account, base_url: `${second.url}/v1` } },
    models: [
      {
        id: 'voice',
        routes: [
          { upstream: 'first', model: 'gpt-voice' },
          { upstream: 'second', model: 'their-voice' },
        ],
      },
      { id: 'tts', routes: [{ upstream: 'first', model: 'tts-1' }] },
    ],
  });
});
afterAll(async () => {
  await rig.close();
  await first.close();
  await second.close();
});
afterEach(() => {
  first.recorded.length = 0;
  second.recorded.length = 0;
});

const AT = '/v1/audio/speech';
const good = { model: 'voice', input: 'kite', voice: 'ash' };
const sound = (type: string, bytes = 'ID3-kite'): AudioUpstream['response'] => {
  return (_request, response) => response.writeHead(200, { 'content-type': type }).end(bytes);
};

describe('POST /v1/audio/speech', () => {
  it("passes on all fields, including unknown ones, with the upstream's model and key", async () => {
    first.response = sound('audio/mpeg');
    const params = { ...good, voice: { id: 'v' }, instructions: 'low', speed: 2, response_format: 'mp3', pitch: [1] };
    const reply = await rig.post(AT, params);
    expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([
      200,
      'audio/mpeg',
      'ID3-kite',
    ]);
    const [recorded] = first.recorded;
    expect(JSON.parse(recorded?.body.toString() ?? '')).toEqual({ ...params, model: 'gpt-voice' });
    expect(recorded).toMatchObject({ path: '/audio/speech', headers: { authorization: 'Bearer sk-vendor-1' } });
  });

  it.each([
    ['application/octet-stream', 'flac', 'audio/flac'],
    ['application/octet-stream', 'opus', 'audio/opus'],
    ['binary/octet-stream', 'aac', 'audio/aac'],
    ['audio/x-wav', 'wav', 'audio/x-wav'],
    ['application/ogg', 'opus', 'application/ogg'],
    ['video/mp4', 'aac', 'video/mp4'],
    ['application/x-novel', 'mp3', 'audio/mpeg'],
    ['application/octet-stream', undefined, 'audio/mpeg'],
  ])('returns type %s, requested as %s, as %s', async (type, format, expected) => {
    first.response = sound(type);
    const reply = await rig.post(AT, { ...good, response_format: format });
    expect(reply.headers.get('content-type')).toBe(expected);
  });

  it('streams audio before it is complete', async () => {
    let finish: (() => void) | undefined;
    first.response = (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('one');
      finish = () => response.end('two');
    };
    const reader = (await rig.post(AT, good)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('one');
    finish?.();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe('two');
    expect(await reader?.read()).toMatchObject({ done: true });
  });

  it.each([
    ['is rate limited', 429, 'application/json', '{"error":{"message":"slow down"}}'],
    ['fails', 500, 'text/html', 'oops'],
    ['returns no audio', 200, 'audio/mpeg', ''],
    ['returns an HTML page', 200, 'text/html', '<html>'],
    ['returns XML', 200, 'application/xml', '<Error/>'],
    ['returns an error with status 200', 200, 'application/json', '{"error":{"message":"busy"}}'],
  ])('falls back to the next upstream when the first %s', async (_what, status, type, body) => {
    first.response = (_request, response) => response.writeHead(status, { 'content-type': type }).end(body);
    second.response = sound('audio/mpeg', 'from the second');
    const reply = await rig.post(AT, good);
    expect([reply.status, await reply.text(), reply.headers.get('x-sluice-upstream')]).toEqual([
      200,
      'from the second',
      'second',
    ]);
    expect(second.recorded[0]?.path).toBe('/v1/audio/speech');
  });

  it("passes on an upstream's rejection without a fallback", async () => {
    first.response = (_request, response) =>
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end('{"error":{"message":"No such voice.","param":"voice","code":"invalid_value"}}');
    const reply = await rig.post(AT, good);
    expect([reply.status, await reply.json()]).toEqual([
      400,
      {
        error: {
          message: 'No such voice.',
          type: 'invalid_request_error',
          param: 'voice',
          code: 'invalid_request',
        },
      },
    ]);
    expect(second.recorded).toEqual([]);
  });

  it('aborts the client connection when the upstream breaks off', async () => {
    first.response = (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('one');
      setTimeout(() => response.destroy(), 50);
    };
    const reply = await rig.post(AT, good);
    expect(reply.status).toBe(200);
    await expect(reply.text()).rejects.toThrow();
    await vi.waitFor(() => expect(rig.logs()).toContain('response interrupted'), 30_000);
  });

  it('aborts the upstream call when the client disconnects', async () => {
    first.response = (_request, response) =>
      void response.writeHead(200, { 'content-type': 'audio/mpeg' }).write('one');
    const controller = new AbortController();
    const reply = await rig.post(AT, good, { signal: controller.signal });
    await reply.body?.getReader().read();
    controller.abort();
    await vi.waitFor(() => expect(first.recorded).toMatchObject([{ hasDisconnected: true }]), 30_000);
  });

  it('aborts the upstream call when the client disconnects before the first byte', async () => {
    const called = Promise.withResolvers<void>();
    first.response = () => called.resolve();
    const controller = new AbortController();
    const reply = rig.post(AT, good, { signal: controller.signal });
    await called.promise;
    controller.abort();
    await expect(reply).rejects.toThrow();
    await vi.waitFor(() => expect(first.recorded).toMatchObject([{ hasDisconnected: true }]), 30_000);
    expect(second.recorded).toEqual([]);
  });
});

describe('speech events', () => {
  const params = { ...good, stream_format: 'sse' };
  const done = 'data: {"type":"speech.audio.done","usage":{"input_tokens":3,"output_tokens":4,"total_tokens":7}}\n\n';
  const delta = 'data: {"type":"speech.audio.delta","audio":"SUQz"}\n\n';

  it('are relayed unchanged, and their usage is counted', async () => {
    first.response = sound('text/event-stream', delta + done);
    const reply = await rig.post(AT, params);
    expect(await reply.text()).toBe(delta + done);
    expect(JSON.parse(first.recorded[0]?.body.toString() ?? '')).toMatchObject({ stream_format: 'sse' });
    await vi.waitFor(() => expect(rig.logs()).toContain('"usage":{"inputTokens":3,"outputTokens":4}'), 30_000);
  });

  it('without the final event are an interrupted response, but no upstream failure', async () => {
    first.response = sound('text/event-stream', delta);
    for (let time = 0; time < 8; time += 1) {
      await expect(rig.post(AT, params).then((reply) => reply.text())).rejects.toThrow();
    }
    expect(second.recorded).toEqual([]);
  });

  it.each(['data: [DONE]\n\n', 'data: {"type":"audio.done"}\n\n'])('may end with %j', async (last) => {
    first.response = sound('text/event-stream', delta + last);
    expect(await (await rig.post(AT, params)).text()).toBe(delta + last);
  });

  const SECRET = 'key sk-vendor-1 at https://gpu7.vendor.example/x';
  const failed = `data: {"type":"error","error":{"message":"Out of room: ${SECRET}","code":"server_error"}}\n\n`;

  it('fall back to another upstream when the first event is an error', async () => {
    first.response = sound('text/event-stream', `: ping\n\n${failed}`);
    second.response = sound('text/event-stream', delta + done);
    const reply = await rig.post(AT, params);
    expect([reply.headers.get('x-sluice-upstream'), await reply.text()]).toEqual(['second', delta + done]);
  });

  it('become an HTTP error when the first event is an error and no upstream is left', async () => {
    const refusal = { type: 'invalid_request_error', code: 'invalid_voice', message: `No ${SECRET}`, param: SECRET };
    first.response = sound('text/event-stream', `data: ${JSON.stringify({ error: refusal })}\n\n`);
    const reply = await rig.post(AT, params);
    expect(reply.status).toBe(400);
    const text = await reply.text();
    expect(JSON.parse(text)).toMatchObject({ error: { code: 'invalid_request', param: null } });
    expect(text).not.toMatch(/sk-vendor|gpu7/);
    expect(second.recorded).toEqual([]);
  });

  it('end with a redacted error event when the upstream reports an error later', async () => {
    first.response = sound('text/event-stream', delta + failed + delta + done);
    const text = await (await rig.post(AT, params)).text();
    expect(text.startsWith(delta)).toBe(true);
    const event: unknown = JSON.parse(text.slice(delta.length).replace('data: ', ''));
    expect(event).toEqual({
      type: 'error',
      error: {
        message: expect.stringMatching(/^Out of room: key /),
        type: 'server_error',
        param: null,
        code: 'provider_error',
      },
    });
    expect(text).not.toMatch(/sk-vendor|gpu7/);
    await vi.waitFor(() => expect(rig.logs()).toContain('response interrupted'), 30_000);
  });

  it('that break off abort the connection after the last complete event', async () => {
    first.response = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(`${delta}data: {"type"`);
      setTimeout(() => response.destroy(), 50);
    };
    const reader = (await rig.post(AT, params)).body?.getReader();
    expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toBe(delta);
    await expect(reader?.read()).rejects.toThrow();
  });

  it('are created from audio bytes at any chunk boundary', async () => {
    first.response = (_request, response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      void (async () => {
        for (const chunk of ['k', 'it', 'e-a', 'nd-more']) {
          response.write(chunk);
          await once(response, 'drain', { signal: AbortSignal.timeout(10) }).catch(() => undefined);
        }
        response.end();
      })();
    };
    const text = await (await rig.post(AT, { ...params, model: 'tts' })).text();
    expect(JSON.parse(first.recorded[0]?.body.toString() ?? '')).not.toHaveProperty('stream_format');
    const events = text
      .trimEnd()
      .split('\n\n')
      .map((frame) => JSON.parse(frame.replace('data: ', '')) as { type: string; audio?: string });
    expect(events.at(-1)).toEqual({ type: 'speech.audio.done' });
    // Some clients join the base64 strings before they decode them.
    const joined = events.map(({ audio = '' }) => audio).join('');
    expect(Buffer.from(joined, 'base64').toString()).toBe('kite-and-more');
  });
});
