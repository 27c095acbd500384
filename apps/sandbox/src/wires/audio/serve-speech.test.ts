import { createOpenAI } from '@ai-sdk/openai';
import { generateSpeech } from 'ai';
import { APIError, OpenAI } from 'openai';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { hiddenText } from '../../media/audio/hidden-text.ts';
import { inspectAudio } from '../../media/audio/audio-reader.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
beforeEach(() => fetch(`${sandbox.url}/_sandbox/requests?clear=1`));

const call = wireCaller(() => sandbox.url, { authorization: 'Bearer sk-sandbox' });
const good = { model: 'gpt-4o-mini-tts', input: 'The kite flies.', voice: 'coral' };
const speak = (more: object = {}, signal?: AbortSignal) =>
  fetch(`${sandbox.url}/v1/audio/speech`, {
    method: 'POST',
    headers: { authorization: 'Bearer sk-sandbox', 'content-type': 'application/json' },
    body: JSON.stringify({ ...good, ...more }),
    ...(signal && { signal }),
  });
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());
const seen = async () => at((await call('GET', '/_sandbox/requests')).body, 'requests.0');

describe('speech', () => {
  it.each([
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['flac', 'audio/flac'],
  ])('is %s of the type %s and carries its text', async (format, type) => {
    const response = await speak({ response_format: format, instructions: 'Cheerful.', speed: 1.5 });
    expect(response.headers.get('content-type')).toBe(type);
    expect(inspectAudio(await bytesOf(response))).toMatchObject({ mediaType: type, text: good.input });
  });

  it('defaults to MP3, and is raw samples as pcm', async () => {
    expect((await speak()).headers.get('content-type')).toBe('audio/mpeg');
    const pcm = await speak({ response_format: 'pcm', voice: { id: 'voice_1' } });
    expect(pcm.headers.get('content-type')).toBe('audio/pcm');
    expect(hiddenText(await bytesOf(pcm))).toBe(good.input);
  });

  it('is sent as events that end with usage', async () => {
    const response = await speak({ stream_format: 'sse', response_format: 'wav' });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const frames = (await response.text()).trimEnd().split('\n\n');
    const events = frames.map((frame): unknown => JSON.parse(frame.replace('data: ', '')));
    expect(events.at(-1)).toEqual({
      type: 'speech.audio.done',
      usage: { input_tokens: 3, output_tokens: 12, total_tokens: 15 },
    });
    const deltas = events.slice(0, -1);
    expect(deltas.every((event) => at(event, 'type') === 'speech.audio.delta')).toBe(true);
    const sound = Buffer.concat(deltas.map((event) => Buffer.from(String(at(event, 'audio')), 'base64')));
    expect(inspectAudio(sound)?.text).toBe(good.input);
  });

  it.each([
    [{ pitch: 1 }, 'pitch', 'unknown_parameter'],
    [{ input: '' }, 'input', 'empty_string'],
    [{ input: 'x'.repeat(4097) }, 'input', 'string_above_max_length'],
    [{ input: undefined }, 'input', 'missing_required_parameter'],
    [{ model: undefined }, 'model', 'missing_required_parameter'],
    [{ voice: 'bob' }, 'voice', 'invalid_value'],
    [{ voice: undefined }, 'voice', 'missing_required_parameter'],
    [{ voice: { id: 'a', name: 'b' } }, 'voice.name', 'unknown_parameter'],
    [{ speed: 4.1 }, 'speed', 'decimal_above_max_value'],
    [{ speed: '1' }, 'speed', 'invalid_type'],
    [{ response_format: 'ogg' }, 'response_format', 'invalid_value'],
    [{ response_format: 'opus' }, 'response_format', 'unsupported_value'],
    [{ response_format: 'aac' }, 'response_format', 'unsupported_value'],
    [{ stream_format: 'websocket' }, 'stream_format', 'invalid_value'],
    [{ model: 'tts-1-hd', stream_format: 'sse' }, 'stream_format', 'unsupported_value'],
  ])('rejects %j', async (more, param, code) => {
    const { status, body } = await call('POST', '/v1/audio/speech', { ...good, ...more });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: { type: 'invalid_request_error', param, code } });
  });

  it('requires the key', async () => {
    const { status, body } = await call('POST', '/v1/audio/speech', good, { authorization: 'Bearer sk-other' });
    expect(status).toBe(401);
    expect(body).toMatchObject({ error: { code: 'invalid_api_key' } });
  });

  it('fails as often as directives require', async () => {
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await speak({ input: 'kite [429]' })).status);
    expect(statuses).toEqual([429, 429, 200]);
    expect((await speak({ input: '[overloaded]' })).status).toBe(503);
    expect((await speak({ input: '[401]' })).status).toBe(401);
    expect((await speak({ input: '[garbage]' })).headers.get('content-type')).toContain('text/html');
  });

  it.each(['[cut]', '[error]'])(
    'drops the connection halfway through its bytes at %s, which cannot carry an error',
    async (word) => {
      const response = await speak({ input: `${'kite '.repeat(100)} ${word}` });
      expect(response.status).toBe(200);
      await expect(response.arrayBuffer()).rejects.toThrow();
      await vi.waitFor(async () => expect(await seen()).toMatchObject({ left: false }), 30_000);
    },
  );

  it('reports an error among its events', async () => {
    const text = await (await speak({ input: 'kite [error]', stream_format: 'sse' })).text();
    expect(text.trimEnd().split('\n\n').at(-1)).toContain('"error":{"message"');
    expect(text).not.toContain('speech.audio.done');
  });

  it('generates the requested amount in constant memory', async () => {
    const before = process.memoryUsage().rss;
    let [max, bytes] = [0, 0];
    const response = await speak({ input: 'kite [long:200]', response_format: 'wav' });
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      max = Math.max(max, process.memoryUsage().rss);
    }
    expect(bytes).toBe(200 * 1024 ** 2 + 44);
    expect((max - before) / 1024 ** 2).toBeLessThan(100);
  });

  it('stops when its client disconnects, and pauses when its client does not read', async () => {
    const closeSignal = new AbortController();
    const response = await speak({ input: 'kite [long:100000]', response_format: 'pcm' }, closeSignal.signal);
    await response.body?.getReader().read();
    const before = process.memoryUsage().rss;
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect((process.memoryUsage().rss - before) / 1024 ** 2).toBeLessThan(50);
    closeSignal.abort();
    await vi.waitFor(async () => expect(await seen()).toMatchObject({ wire: 'audio', left: true }), 30_000);
  });
});

it('works with the openai client, in bytes and in events', async () => {
  const client = new OpenAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1`, maxRetries: 0 });
  const response = await client.audio.speech.create({ model: 'tts-1', input: 'hello', voice: 'ash' });
  expect(inspectAudio(Buffer.from(await response.arrayBuffer()))?.text).toBe('hello');
  const failure = await client.audio.speech
    .create({ model: 'tts-1', input: 'hello', voice: 'bob' })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(APIError);
  expect(failure).toMatchObject({ status: 400, param: 'voice', code: 'invalid_value' });
});

it('works with the AI SDK', async () => {
  const model = createOpenAI({ apiKey: 'sk-sandbox', baseURL: `${sandbox.url}/v1` }).speech('gpt-4o-mini-tts');
  const { audio } = await generateSpeech({ model, text: 'hello', voice: 'nova', outputFormat: 'wav', speed: 2 });
  expect(inspectAudio(Buffer.from(audio.uint8Array))?.text).toBe('hello');
});
