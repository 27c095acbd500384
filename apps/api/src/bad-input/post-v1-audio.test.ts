import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../../test/api-rig.ts';
import { AUDIO, audioUpstream, type AudioUpstream, formOf, type Part, postForm } from '../../test/audio-rig.ts';
import { rawHttp } from '../../test/raw-http.ts';
import { expectRefusal } from '../../test/refusal.ts';
import { type TextRig, textRig } from '../../test/text-rig.ts';

/** A speech's text alone may have 16 KiB. */
const LIMITS = { ...SMALL_LIMITS, json_bytes: 32 * 1024, upload_bytes: 256 * 1024 };

let upstream: AudioUpstream;
let rig: TextRig;
beforeAll(async () => {
  upstream = await audioUpstream((_request, response) => response.end('{"text":"kite"}'));
  rig = await textRig(
    {
      upstreams: {
        openai: { kind: 'chat-completions', base_url: upstream.url },
        anthropic: { kind: 'messages', base_url: upstream.url },
      },
      models: [
        { id: 'voice', routes: [{ upstream: 'openai', model: 'theirs' }] },
        { id: 'ears', routes: [{ upstream: 'openai', model: 'whisper-1' }] },
        { id: 'deaf-to-times', routes: [{ upstream: 'openai', model: 'gpt-4o-transcribe' }] },
        { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
        { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
      ],
    },
    { limits: LIMITS },
  );
});
afterAll(async () => {
  await rig.close();
  await upstream.close();
});
afterEach(() => {
  // Nothing that is refused is ever whole at an upstream.
  expect(upstream.recorded.filter(({ isComplete }) => isComplete)).toEqual([]);
});

async function refused(reply: Response, status: number, code: string, param: string | null): Promise<void> {
  await expectRefusal(reply, 'chat-completions', { status, code, param });
}

describe('POST /v1/audio/speech', () => {
  const AT = '/v1/audio/speech';
  const good = { model: 'voice', input: 'kite', voice: 'ash' };

  it.each([
    ['nothing', '', 'model'],
    ['an empty object', {}, 'model'],
    ['no model', { ...good, model: undefined }, 'model'],
    ['an empty model', { ...good, model: '' }, 'model'],
    ['a model that is no text', { ...good, model: 5 }, 'model'],
    ['a model that is for text', { ...good, model: 'chat' }, 'model'],
    ['a model of an upstream that does not speak', { ...good, model: 'claude' }, 'model'],
    ['no input', { ...good, input: undefined }, 'input'],
    ['an empty input', { ...good, input: '' }, 'input'],
    ['an input of null', { ...good, input: null }, 'input'],
    ['a list of inputs', { ...good, input: ['kite'] }, 'input'],
    ['an input of 4097 characters', { ...good, input: 'x'.repeat(4097) }, 'input'],
    ['an input of 4097 emojis', { ...good, input: '🪁'.repeat(4097) }, 'input'],
    ['no voice', { ...good, voice: undefined }, 'voice'],
    ['an empty voice', { ...good, voice: '' }, 'voice'],
    ['a voice without an id', { ...good, voice: {} }, 'voice'],
    ['a voice that is a number', { ...good, voice: 1 }, 'voice'],
    ['a format that is none', { ...good, response_format: 'ogg' }, 'response_format'],
    ['a format that is no text', { ...good, response_format: 3 }, 'response_format'],
    ['a speed below the slowest', { ...good, speed: 0.24 }, 'speed'],
    ['a speed above the fastest', { ...good, speed: 4.1 }, 'speed'],
    ['a speed that is text', { ...good, speed: '1' }, 'speed'],
    ['a form of streams that is none', { ...good, stream_format: 'websocket' }, 'stream_format'],
    ['instructions that are no text', { ...good, instructions: ['slowly'] }, 'instructions'],
  ])('refuses %s', async (_what, body, param) => {
    const reply = await rig.post(AT, body);
    expect(reply.status).toBe(400);
    const { error } = (await reply.json()) as { error: { code: string; param: string } };
    expect(error.code).toBe('invalid_request');
    expect(error.param.split('[')[0]).toBe(param);
  });

  it.each([
    ['JSON that is cut off', '{"model": "voice"'],
    ['a list', JSON.stringify([good])],
    ['a text', '"kite"'],
    ['null', 'null'],
  ])('refuses %s', async (_what, body) => {
    const reply = await rig.post(AT, body);
    expect([reply.status, ((await reply.json()) as { error: { code: string } }).error.code]).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it('refuses a form, and a body that is too large', async () => {
    await refused(await postForm(rig.origin + AT, formOf([['model', 'voice']])), 415, 'unsupported_media_type', null);
    const large = { ...good, instructions: 'x'.repeat(LIMITS.json_bytes) };
    await refused(await rig.post(AT, large), 413, 'payload_too_large', null);
  });

  it('refuses who has no key, and models that are not there or not theirs', async () => {
    const nobody = await rig.post(AT, good, { headers: { authorization: '' } });
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await refused(await rig.post(AT, { ...good, model: 'vioce' }), 404, 'model_not_found', 'model');
    const carol = await rig.post(AT, good, { headers: { authorization: `Bearer ${KEYS.carol}` } });
    await refused(carol, 403, 'model_not_allowed', 'model');
  });
});

describe.each(['transcriptions', 'translations'])('POST /v1/audio/%s', (name) => {
  const AT = `/v1/audio/${name}`;
  const MODEL: Part = ['model', 'ears'];
  const post = (parts: readonly Part[], headers?: Record<string, string>) =>
    postForm(rig.origin + AT, formOf(parts), headers);

  /** Each as fields beside a good file: before it, and after it. */
  const WRONG: [string, Part[], string][] = [
    ['an empty model', [['model', '']], 'model'],
    ['no model', [], 'model'],
    ['two models', [MODEL, MODEL], 'model'],
    ['a model that is for text', [['model', 'chat']], 'model'],
    ['a model of an upstream that does not hear', [['model', 'claude']], 'model'],
    ['a format that is none', [MODEL, ['response_format', 'yaml']], 'response_format'],
    ['two formats', [MODEL, ['response_format', 'srt'], ['response_format', 'vtt']], 'response_format'],
    ['a temperature that is no number', [MODEL, ['temperature', 'hot']], 'temperature'],
    ['a temperature below 0', [MODEL, ['temperature', '-0.1']], 'temperature'],
    ['a temperature above 1', [MODEL, ['temperature', '1.1']], 'temperature'],
    ['a file that is text', [MODEL, ['file', 'kite']], 'file'],
  ];
  it.each(WRONG)('refuses %s before the audio and after it', async (_what, fields, param) => {
    for (const parts of [
      [...fields, AUDIO],
      [AUDIO, ...fields],
    ]) {
      await refused(await post(parts), 400, 'invalid_request', param);
    }
  });

  it('refuses times that the model does not tell, before the audio and after it', async () => {
    const format: Part = ['response_format', 'srt'];
    const model: Part = ['model', 'deaf-to-times'];
    for (const parts of [
      [model, format, AUDIO],
      [model, AUDIO, format],
      [AUDIO, model, format],
    ]) {
      await refused(await post(parts), 400, 'unsupported_parameter', 'response_format');
    }
  });

  it.each<[string, Part[], string]>([
    ['no file', [MODEL], 'file'],
    ['an empty form', [], 'file'],
    ['an empty file', [MODEL, ['file', { filename: 'a.wav', bytes: '' }]], 'file'],
    ['an empty file before its model', [['file', { filename: 'a.wav', bytes: '' }], MODEL], 'file'],
    ['two files', [MODEL, AUDIO, AUDIO], 'file'],
    ['two files before their model', [AUDIO, AUDIO, MODEL], 'file'],
    ['a file under another name', [MODEL, ['audio', { filename: 'a.wav', bytes: 'x' }]], 'audio'],
    ['another file beside the audio', [MODEL, AUDIO, ['mask', { filename: 'a.png', bytes: 'x' }]], 'mask'],
  ])('refuses %s', async (_what, parts, param) => {
    await refused(await post(parts), 400, 'invalid_request', param);
  });

  it.each([
    ['JSON', 'application/json', JSON.stringify({ model: 'ears', file: 'kite' })],
    ['bare audio', 'audio/wav', 'RIFF'],
    ['an URL-encoded form', 'application/x-www-form-urlencoded', 'model=ears&file=kite'],
  ])('refuses %s', async (_what, type, body) => {
    const reply = await rig.post(AT, body, { headers: { 'content-type': type } });
    await refused(reply, 415, 'unsupported_media_type', null);
  });

  it.each([
    ['a form that is cut off in its audio', formOf([MODEL, AUDIO], '').subarray(0, -6), null],
    ['a form that is cut off in its audio, before its model', formOf([AUDIO], '').subarray(0, -6), null],
    [
      'a form of another boundary',
      Buffer.from('--c\r\ncontent-disposition: form-data; name="model"\r\n\r\nears\r\n'),
      null,
    ],
    ['something that is no form', Buffer.from('kite'), null],
  ])('refuses %s', async (_what, body, param) => {
    await refused(await postForm(rig.origin + AT, body), 400, 'invalid_request', param);
  });

  it('rejects audio that is too large, with or without a declared length, wherever the model field is', async () => {
    const file: Part = ['file', { filename: 'a.wav', bytes: Buffer.alloc(LIMITS.upload_bytes) }];
    for (const parts of [
      [MODEL, file],
      [file, MODEL],
    ]) {
      await refused(await post(parts), 413, 'payload_too_large', null);
      const body = formOf(parts).toString('latin1');
      const head = [
        `POST ${AT} HTTP/1.1`,
        'host: x',
        `authorization: Bearer ${KEYS.alice}`,
        'content-type: multipart/form-data; boundary=b',
        'transfer-encoding: chunked',
        'connection: close',
      ].join('\r\n');
      const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
      const reply = await rawHttp(rig.port, [`${head}\r\n\r\n`, chunk]);
      await refused(new Response(reply.body, reply), 413, 'payload_too_large', null);
    }
  });

  it.each([
    ['too large together', `[1${',1'.repeat(10_000)}]`, 413, 'payload_too_large', null],
    ['nested too deeply', '['.repeat(600) + ']'.repeat(600), 400, 'invalid_request', 'novel'],
  ])('refuses fields in JSON that are %s', async (_what, json, status, code, param) => {
    const head = '--b\r\ncontent-disposition: form-data; name="novel"\r\ncontent-type: application/json\r\n\r\n';
    const part = Buffer.from(`${head}${json}\r\n`);
    const form = Buffer.concat([part, part, formOf([MODEL, AUDIO])]);
    await refused(await postForm(rig.origin + AT, form), status, code, param);
  });

  it('refuses fields that are too large, and too many', async () => {
    const prompt: Part = ['prompt', 'x'.repeat(LIMITS.json_bytes + 1)];
    await refused(await post([MODEL, prompt, AUDIO]), 413, 'payload_too_large', null);
    const many = Array.from({ length: 201 }, (_, at): Part => [`f${at}`, '1']);
    await refused(await post([MODEL, ...many, AUDIO]), 400, 'invalid_request', null);
  });

  it('refuses who has no key, and models that are not there or not theirs', async () => {
    const nobody = await post([MODEL, AUDIO], { authorization: '' });
    expect([nobody.status, nobody.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    await refused(await post([['model', 'eers'], AUDIO]), 404, 'model_not_found', 'model');
    await refused(await post([AUDIO, ['model', 'eers']]), 404, 'model_not_found', 'model');
    const carol = await post([MODEL, AUDIO], { authorization: `Bearer ${KEYS.carol}` });
    await refused(carol, 403, 'model_not_allowed', 'model');
  });

  it('leaves no file behind', async () => {
    expect(await rig.storedFiles()).toEqual([]);
  });
});

describe('POST /v1/audio/transcriptions', () => {
  it.each<[string, Part[], string]>([
    ['a language that is none', [['language', 'en; rm']], 'language'],
    ['a granularity that is none', [['timestamp_granularities[]', 'letter']], 'timestamp_granularities'],
    ['granularities in broken JSON', [['timestamp_granularities', '["word"']], 'timestamp_granularities'],
    ['countless granularities', [['timestamp_granularities', ',word'.repeat(5_000)]], 'timestamp_granularities'],
    [
      'subtitles as a stream',
      [
        ['stream', 'true'],
        ['response_format', 'srt'],
      ],
      'stream',
    ],
    ['a stream that is neither true nor false', [['stream', 'yes']], 'stream'],
  ])('refuses %s before the audio and after it', async (_what, fields, param) => {
    for (const parts of [
      [['model', 'ears'] satisfies Part, ...fields, AUDIO],
      [['model', 'ears'] satisfies Part, AUDIO, ...fields],
      [AUDIO, ['model', 'ears'] satisfies Part, ...fields],
    ]) {
      const reply = await postForm(`${rig.origin}/v1/audio/transcriptions`, formOf(parts));
      expect(reply.status).toBe(400);
      const { error } = (await reply.json()) as { error: { param: string } };
      expect(error.param.split('[')[0]).toBe(param);
    }
  });
});
