import { request as httpRequest } from 'node:http';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { AUDIO, audioUpstream, type AudioUpstream, formOf, type Part, postForm } from '../../test/audio-rig.ts';
import { type TextRig, textRig } from '../../test/text-rig.ts';

let first: AudioUpstream;
let second: AudioUpstream;
let rig: TextRig;
beforeAll(async () => {
  first = await audioUpstream((_request, response) => response.end());
  second = await audioUpstream((_request, response) => response.end());
  const account = { kind: 'chat-completions', api_key: 'sk-vendor-1' };
  rig = await textRig({
    upstreams: {
      nobody: { ...account, base_url: 'http://127.0.0.1:9' },
      first: { ...account, base_url: first.url },
      second: { ...account, base_url: second.url },
      gemini: { kind: 'generative-content', base_url: second.url },
    },
    models: [
      {
        id: 'ears',
        routes: [
          { upstream: 'first', model: 'whisper-1' },
          { upstream: 'second', model: 'whisper-2' },
        ],
      },
      {
        id: 'far-ears',
        routes: [
          { upstream: 'nobody', model: 'whisper-1' },
          { upstream: 'second', model: 'whisper-2' },
        ],
      },
      { id: 'other-ears', routes: [{ upstream: 'first', model: 'their-ears' }] },
      {
        id: 'segments',
        routes: [{ upstream: 'first', model: 'x', quirks: { transcription_formats: ['json', 'verbose_json'] } }],
      },
      { id: 'gemini', routes: [{ upstream: 'gemini', model: 'gemini-2.5-flash' }] },
    ],
    routing: { failures: 1_000, open_ms: 1_000, max_open_ms: 1_000 },
  });
});
afterAll(async () => {
  await rig.close();
  await first.close();
  await second.close();
});
afterEach(async () => {
  for (const upstream of [first, second]) {
    upstream.heard.length = 0;
    upstream.early = undefined;
  }
  expect(await rig.storedFiles()).toEqual([]);
});

const AT = '/v1/audio/transcriptions';
const post = (parts: readonly Part[], at = AT) => postForm(rig.origin + at, formOf(parts));
const json = (body: unknown, status = 200): AudioUpstream['answer'] => {
  return (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
};

/** The names of a form's parts in their order, and their values. */
function partsOf(body: Buffer): [string, string][] {
  const text = body.toString();
  const boundary = text.slice(0, text.indexOf('\r\n'));
  return text
    .split(boundary)
    .slice(1, -1)
    .map((part) => [/name="([^"]*)"/.exec(part)?.[1] ?? '', part.slice(part.indexOf('\r\n\r\n') + 4, -2)]);
}

/** Answers with events. */
const streaming = (body: string): AudioUpstream['answer'] => {
  return (_request, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body);
};

/** Answers as Gemini does. */
const said = (text: string) =>
  json({
    candidates: [{ content: { parts: [{ text }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 30, candidatesTokenCount: 2 },
  });

/** An upload that a test writes piece by piece. */
function uploading(at = AT) {
  const sent = httpRequest(rig.origin + at, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.alice}`, 'content-type': 'multipart/form-data; boundary=b' },
  });
  sent.on('error', () => undefined);
  const answer = new Promise<number | undefined>((resolve) => {
    sent.once('response', (response) => {
      response.resume();
      resolve(response.statusCode);
    });
  });
  return { sent, answer };
}

const HEAD = formOf([['model', 'ears'], AUDIO], '').subarray(0, -2);

describe('a form', () => {
  it('goes on in its order around the audio, with the vendor’s model; what came after the audio goes after it', async () => {
    first.answer = json({ text: 'kite' });
    const early: Part[] = [
      ['model', 'ears'],
      ['language', 'en'],
      ['include[]', 'logprobs'],
    ];
    const late: Part[] = [
      ['prompt', 'A kite.'],
      ['keywords', 'bay'],
      ['timestamp_granularities[]', 'word'],
      ['response_format', 'verbose_json'],
    ];
    const answer = await post([...early, AUDIO, ...late]);
    expect([answer.status, await answer.json()]).toEqual([200, { text: 'kite' }]);
    const [heard] = first.heard;
    expect(heard?.headers['transfer-encoding']).toBe('chunked');
    expect(partsOf(heard?.body ?? Buffer.alloc(0))).toEqual([
      ['model', 'whisper-1'],
      ['language', 'en'],
      ['include[]', 'logprobs'],
      ['file', 'RIFF-the-kite'],
      ['prompt', 'A kite.'],
      ['keywords', 'bay'],
      ['response_format', 'verbose_json'],
      ['timestamp_granularities[]', 'word'],
    ]);
  });

  it('whose model stands after the audio goes on with all its fields before it, and with its length', async () => {
    first.answer = json({ text: 'kite' });
    const answer = await post([AUDIO, ['temperature', '0.5'], ['timestamp_granularities', 'word'], ['model', 'ears']]);
    expect(answer.status).toBe(200);
    const [heard] = first.heard;
    expect(heard?.headers['content-length']).toBe(String(heard?.body.byteLength));
    expect(partsOf(heard?.body ?? Buffer.alloc(0))).toEqual([
      ['model', 'whisper-1'],
      ['temperature', '0.5'],
      ['timestamp_granularities[]', 'word'],
      ['file', 'RIFF-the-kite'],
    ]);
  });

  it('is at the upstream before its client has sent the rest', async () => {
    first.answer = json({ text: 'kite' });
    const { sent, answer } = uploading();
    sent.write(HEAD);
    await vi.waitFor(() => expect(first.heard[0]?.body.toString()).toContain('RIFF-the'), 10_000);
    expect(first.heard[0]?.isWhole).toBe(false);
    sent.end('\r\n--b--\r\n');
    expect(await answer).toBe(200);
  });

  it('for a translation is asked as one', async () => {
    first.answer = json({ text: 'kite' });
    expect((await post([['model', 'ears'], AUDIO], '/v1/audio/translations')).status).toBe(200);
    expect(first.heard[0]?.path).toBe('/audio/translations');
  });
});

describe('another upstream is asked', () => {
  it('while no byte has left', async () => {
    second.answer = json({ text: 'from the second' });
    const answer = await post([['model', 'far-ears'], AUDIO]);
    expect([await answer.json(), answer.headers.get('x-sluice-upstream')]).toEqual([
      { text: 'from the second' },
      'second',
    ]);
  });

  it('after a refusal when the audio was kept, and not when it has passed', async () => {
    first.answer = json({ error: { message: 'busy' } }, 503);
    second.answer = json({ text: 'from the second' });
    const kept = await post([AUDIO, ['model', 'ears']]);
    expect([kept.status, await kept.json()]).toEqual([200, { text: 'from the second' }]);
    second.heard.length = 0;
    const passed = await post([['model', 'ears'], AUDIO]);
    expect([passed.status, second.heard]).toEqual([503, []]);
  });
});

describe('an end on one side', () => {
  it('of the client ends the call', async () => {
    const { sent } = uploading();
    sent.write(HEAD);
    await vi.waitFor(() => expect(first.heard).toHaveLength(1), 10_000);
    sent.destroy();
    await vi.waitFor(() => expect(first.heard).toMatchObject([{ left: true, isWhole: false }]), 10_000);
    expect(second.heard).toEqual([]);
  });

  it('of the upstream, which refuses early, is told before the upload is through', async () => {
    first.early = (_request, response) =>
      response.writeHead(400, { 'content-type': 'application/json' }).end('{"error":{"message":"no","param":"model"}}');
    const { sent, answer } = uploading();
    sent.write(HEAD);
    expect(await answer).toBe(400);
    sent.destroy();
  });

  it('of the upstream, which breaks off, is told before the upload is through', async () => {
    first.early = (_request, response) => response.destroy();
    const { sent, answer } = uploading();
    sent.write(HEAD);
    expect(await answer).toBe(502);
    sent.destroy();
  });

  it('of the form, whose last field is wrong, ends the call and is told', async () => {
    const answer = await post([['model', 'ears'], AUDIO, ['temperature', '2']]);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { param: 'temperature' } }]);
    await vi.waitFor(() => expect(first.heard).toMatchObject([{ isWhole: false }]), 10_000);
  });
});

describe('a format', () => {
  const told = {
    text: 'A kite. It flies.',
    language: 'english',
    duration: 3.5,
    segments: [
      { id: 0, start: 0, end: 1.25, text: ' A kite.' },
      { id: 1, start: 1.25, end: 3.5, text: ' It <flies>.' },
    ],
  };

  it.each([
    ['json', 'application/json; charset=utf-8', '{"text":"A kite. It flies."}'],
    ['text', 'text/plain; charset=utf-8', 'A kite. It flies.\n'],
    [
      'srt',
      'application/x-subrip; charset=utf-8',
      '1\n00:00:00,000 --> 00:00:01,250\nA kite.\n\n2\n00:00:01,250 --> 00:00:03,500\nIt <flies>.\n\n',
    ],
    [
      'vtt',
      'text/vtt; charset=utf-8',
      'WEBVTT\n\n00:00:00.000 --> 00:00:01.250\nA kite.\n\n00:00:01.250 --> 00:00:03.500\nIt &lt;flies&gt;.\n\n',
    ],
    ['verbose_json', 'application/json; charset=utf-8', JSON.stringify(told)],
  ])('%s is made of what the upstream writes', async (format, type, body) => {
    first.answer = (request, response) =>
      json(request.body.includes('verbose_json') ? told : { text: told.text })(request, response);
    for (const parts of [
      [['model', 'segments'] satisfies Part, AUDIO, ['response_format', format] satisfies Part],
      [AUDIO, ['response_format', format] satisfies Part, ['model', 'segments'] satisfies Part],
    ]) {
      const answer = await post(parts);
      expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([200, type, body]);
    }
  });

  it('has the client’s name of the model, and no ids of the vendor’s', async () => {
    const verbose = {
      task: 'transcribe',
      text: 'kite',
      model: 'whisper-1',
      x_groq: { id: 'req_1' },
      id: 'tr_1',
      duration: 1.5,
    };
    first.answer = json(verbose);
    for (const format of ['json', 'verbose_json']) {
      const answer = await post([['model', 'ears'], ['response_format', format], AUDIO]);
      expect(await answer.json()).toEqual({ task: 'transcribe', text: 'kite', model: 'ears', duration: 1.5 });
    }
  });

  it.each([
    ['vtt', 'text/html', 'WEBVTT <html>'],
    ['vtt', 'text/plain', 'kite'],
    ['srt', 'text/plain', 'kite'],
    ['text', 'text/html; charset=utf-8', 'kite'],
    ['text', 'text/plain', '<!DOCTYPE html><html>'],
    ['json', 'text/plain', 'kite'],
  ])('%s is not what comes as %s: %s', async (format, type, body) => {
    first.answer = (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
    second.answer = first.answer;
    const answer = await post([AUDIO, ['model', 'ears'], ['response_format', format]]);
    expect([answer.status, await answer.json()]).toMatchObject([502, { error: { code: 'provider_error' } }]);
  });

  it('counts as served when it cannot be written as was wished', async () => {
    const usage = { input_tokens: 31, output_tokens: 7 };
    first.answer = json({ text: 'kite', usage });
    const answer = await post([['model', 'segments'], ['response_format', 'srt'], AUDIO]);
    expect([answer.status, answer.headers.get('x-sluice-upstream')]).toEqual([400, 'first']);
    await vi.waitFor(() => expect(rig.logs()).toContain('"usage":{"inputTokens":31,"outputTokens":7}'), 10_000);
  });

  it('comes whole, whatever is told of its cost', async () => {
    first.answer = json({ text: 'kite', usage: { input_tokens: -1, output_tokens: 2 } });
    const answer = await post([['model', 'segments'], ['response_format', 'text'], AUDIO]);
    expect([answer.status, await answer.text()]).toEqual([200, 'kite\n']);
  });

  it('that the upstream writes itself is relayed byte by byte', async () => {
    first.answer = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('1\n0 --> 1\n');
    const answer = await post([['model', 'other-ears'], ['response_format', 'srt'], AUDIO]);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'application/x-subrip; charset=utf-8',
      '1\n0 --> 1\n',
    ]);
  });

  it.each([
    ['an error', { error: { message: 'busy' } }],
    ['no text', { segments: [] }],
    ['a list', []],
  ])('is not made of %s with status 200', async (_what, body) => {
    first.answer = json(body);
    expect((await post([['model', 'other-ears'], AUDIO])).status).toBe(502);
  });
});

describe('a stream', () => {
  const events =
    'data: {"type":"transcript.text.delta","delta":"kite"}\n\n' +
    'data: {"type":"transcript.text.done","text":"kite","usage":{"type":"tokens","input_tokens":9,"output_tokens":2}}\n\n';
  const stream: Part = ['stream', 'true'];

  it('of the upstream’s is relayed, and its cost counted', async () => {
    first.answer = streaming(events);
    const answer = await post([['model', 'ears'], AUDIO, stream]);
    expect([answer.headers.get('content-type'), await answer.text()]).toEqual([
      'text/event-stream; charset=utf-8',
      events,
    ]);
    await vi.waitFor(() => expect(rig.logs()).toContain('"usage":{"inputTokens":9,"outputTokens":2}'), 10_000);
  });

  it('that ends without its last event is no whole answer', async () => {
    first.answer = streaming(events.slice(0, events.indexOf('data: {"type":"transcript.text.done')));
    await expect(post([['model', 'ears'], AUDIO, stream]).then((answer) => answer.text())).rejects.toThrow();
  });

  it('that tells an error ends with one of ours', async () => {
    const failed = 'event: error\ndata: {"message":"at https://gpu7.vendor.example"}\n\n';
    first.answer = streaming(events.slice(0, events.indexOf('data: {"type":"transcript.text.done')) + failed);
    const text = await (await post([['model', 'ears'], AUDIO, stream])).text();
    expect(text).toMatch(/^data: \{"type":"transcript.text.delta".*\n\ndata: \{"type":"error","error":\{.*\n\n$/);
    expect(text).not.toContain('gpu7');
  });

  it('is made of a whole transcript', async () => {
    const usage = { type: 'tokens', input_tokens: 9, output_tokens: 2, total_tokens: 11 };
    first.answer = json({ text: 'kite', usage });
    const answer = await post([['model', 'ears'], stream, AUDIO]);
    const made = (await answer.text()).trimEnd().split('\n\n');
    expect(made.map((frame): unknown => JSON.parse(frame.replace('data: ', '')))).toEqual([
      { type: 'transcript.text.delta', delta: 'kite' },
      { type: 'transcript.text.done', text: 'kite', usage },
    ]);
  });
});

describe('over Gemini', () => {
  it.each([[true], [false]])('audio goes inline, and what is asked after it; model first: %s', async (isFirst) => {
    second.answer = said('kite\n');
    const model: Part = ['model', 'gemini'];
    const rest: Part[] = [
      ['prompt', 'bay'],
      ['temperature', '0.2'],
      ['keywords', 'x'],
    ];
    const answer = await post(isFirst ? [model, AUDIO, ...rest] : [AUDIO, model, ...rest]);
    expect([answer.status, await answer.json(), answer.headers.get('x-sluice-dropped')]).toEqual([
      200,
      {
        text: 'kite',
        usage: { type: 'tokens', input_tokens: 30, output_tokens: 2, total_tokens: 32 },
      },
      'keywords',
    ]);
    const [heard] = second.heard;
    expect(heard?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(JSON.parse(heard?.body.toString() ?? '')).toEqual({
      contents: [
        {
          role: 'user',
          parts: [
            { inlineData: { mimeType: 'audio/wav', data: Buffer.from('RIFF-the-kite').toString('base64') } },
            { text: expect.stringMatching(/^Transcribe .*\nbay$/s) },
          ],
        },
      ],
      generationConfig: { responseModalities: ['TEXT'], temperature: 0.2 },
    });
  });

  it('a translation asks for English', async () => {
    second.answer = said('kite');
    await post([['model', 'gemini'], AUDIO], '/v1/audio/translations');
    expect(second.heard[0]?.body.toString()).toContain('Translate what is said in this audio into English.');
  });

  it.each([[true], [false]])('audio past what goes inline is 413; model first: %s', async (isFirst) => {
    const file: Part = ['file', { filename: 'a.mp3', bytes: Buffer.alloc(15 * 1024 * 1024) }];
    const answer = await post(isFirst ? [['model', 'gemini'], file] : [file, ['model', 'gemini']]);
    expect([answer.status, await answer.json()]).toMatchObject([413, { error: { param: 'file' } }]);
    expect(second.heard.filter(({ isWhole }) => isWhole)).toEqual([]);
  });

  it('a prompt that is filtered is told as such', async () => {
    second.answer = json({ candidates: [{ finishReason: 'SAFETY' }] });
    const answer = await post([['model', 'gemini'], AUDIO]);
    expect([answer.status, await answer.json()]).toMatchObject([400, { error: { code: 'content_policy' } }]);
  });
});
