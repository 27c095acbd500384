import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { AUDIO, type AudioUpstream, type Part } from '../../test/audio-rig.ts';
import type { TextRig } from '../../test/text-rig.ts';
import { json, streaming, geminiText, transcriptionRig, type TranscriptionRig } from '../../test/transcription-rig.ts';

let first: AudioUpstream;
let second: AudioUpstream;
let rig: TextRig;
let post: TranscriptionRig['post'];
let transcription: TranscriptionRig;
beforeAll(async () => {
  transcription = await transcriptionRig();
  ({ first, second, rig, post } = transcription);
});
afterAll(() => transcription.close());
afterEach(() => transcription.reset());

describe('a transcription format', () => {
  const transcript = {
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
    ['verbose_json', 'application/json; charset=utf-8', JSON.stringify(transcript)],
  ])("%s is encoded from the upstream's transcript", async (format, type, body) => {
    first.response = (request, response) =>
      json(request.body.includes('verbose_json') ? transcript : { text: transcript.text })(request, response);
    for (const parts of [
      [['model', 'segments'] satisfies Part, AUDIO, ['response_format', format] satisfies Part],
      [AUDIO, ['response_format', format] satisfies Part, ['model', 'segments'] satisfies Part],
    ]) {
      const reply = await post(parts);
      expect([reply.status, reply.headers.get('content-type'), await reply.text()]).toEqual([200, type, body]);
    }
  });

  it("contains the client's model name and no vendor ids", async () => {
    const verbose = {
      task: 'transcribe',
      text: 'kite',
      model: 'whisper-1',
      x_groq: { id: 'req_1' },
      id: 'tr_1',
      duration: 1.5,
    };
    first.response = json(verbose);
    for (const format of ['json', 'verbose_json']) {
      const reply = await post([['model', 'ears'], ['response_format', format], AUDIO]);
      expect(await reply.json()).toEqual({ task: 'transcribe', text: 'kite', model: 'ears', duration: 1.5 });
    }
  });

  it.each([
    ['vtt', 'text/html', 'WEBVTT <html>'],
    ['vtt', 'text/plain', 'kite'],
    ['srt', 'text/plain', 'kite'],
    ['text', 'text/html; charset=utf-8', 'kite'],
    ['text', 'text/plain', '<!DOCTYPE html><html>'],
    ['json', 'text/plain', 'kite'],
  ])('%s rejects type %s: %s', async (format, type, body) => {
    first.response = (_request, response) => response.writeHead(200, { 'content-type': type }).end(body);
    second.response = first.response;
    const reply = await post([AUDIO, ['model', 'ears'], ['response_format', format]]);
    expect([reply.status, await reply.json()]).toMatchObject([502, { error: { code: 'provider_error' } }]);
  });

  it('counts as served if the response cannot be encoded in the requested format', async () => {
    const usage = { input_tokens: 31, output_tokens: 7 };
    first.response = json({ text: 'kite', usage });
    const reply = await post([['model', 'segments'], ['response_format', 'srt'], AUDIO]);
    expect([reply.status, reply.headers.get('x-sluice-upstream')]).toEqual([400, 'first']);
    await vi.waitFor(() => expect(rig.logs()).toContain('"usage":{"inputTokens":31,"outputTokens":7}'), 30_000);
  });

  it('is buffered if the client may need its usage', async () => {
    first.response = json({ text: 'kite', usage: { input_tokens: -1, output_tokens: 2 } });
    const reply = await post([['model', 'segments'], ['response_format', 'text'], AUDIO]);
    expect([reply.status, await reply.text()]).toEqual([200, 'kite\n']);
  });

  it('that the upstream encodes itself is relayed unchanged', async () => {
    first.response = (_request, response) =>
      response.writeHead(200, { 'content-type': 'text/plain' }).end('1\n0 --> 1\n');
    const reply = await post([['model', 'other-ears'], ['response_format', 'srt'], AUDIO]);
    expect([reply.headers.get('content-type'), await reply.text()]).toEqual([
      'application/x-subrip; charset=utf-8',
      '1\n0 --> 1\n',
    ]);
  });

  it.each([
    ['an error', { error: { message: 'busy' } }],
    ['no text', { segments: [] }],
    ['a list', []],
  ])('is not created from %s with status 200', async (_what, body) => {
    first.response = json(body);
    expect((await post([['model', 'other-ears'], AUDIO])).status).toBe(502);
  });
});

describe('a transcription stream', () => {
  const events =
    'data: {"type":"transcript.text.delta","delta":"kite"}\n\n' +
    'data: {"type":"transcript.text.done","text":"kite","usage":{"type":"tokens","input_tokens":9,"output_tokens":2}}\n\n';
  const stream: Part = ['stream', 'true'];

  it('is relayed from the upstream, and its usage is counted', async () => {
    first.response = streaming(events);
    const reply = await post([['model', 'ears'], AUDIO, stream]);
    expect([reply.headers.get('content-type'), await reply.text()]).toEqual([
      'text/event-stream; charset=utf-8',
      events,
    ]);
    await vi.waitFor(() => expect(rig.logs()).toContain('"usage":{"inputTokens":9,"outputTokens":2}'), 30_000);
  });

  it('without the final event is an incomplete response', async () => {
    first.response = streaming(events.slice(0, events.indexOf('data: {"type":"transcript.text.done')));
    await expect(post([['model', 'ears'], AUDIO, stream]).then((reply) => reply.text())).rejects.toThrow();
  });

  it("that contains an error ends with Sluice's own error event", async () => {
    const failed = 'event: error\ndata: {"message":"at https://gpu7.vendor.example"}\n\n';
    first.response = streaming(events.slice(0, events.indexOf('data: {"type":"transcript.text.done')) + failed);
    const text = await (await post([['model', 'ears'], AUDIO, stream])).text();
    expect(text).toMatch(/^data: \{"type":"transcript.text.delta".*\n\ndata: \{"type":"error","error":\{.*\n\n$/);
    expect(text).not.toContain('gpu7');
  });

  it('is created from a buffered transcript', async () => {
    const usage = { type: 'tokens', input_tokens: 9, output_tokens: 2, total_tokens: 11 };
    first.response = json({ text: 'kite', usage });
    const reply = await post([['model', 'ears'], stream, AUDIO]);
    const frames = (await reply.text()).trimEnd().split('\n\n');
    expect(frames.map((frame): unknown => JSON.parse(frame.replace('data: ', '')))).toEqual([
      { type: 'transcript.text.delta', delta: 'kite' },
      { type: 'transcript.text.done', text: 'kite', usage },
    ]);
  });
});

describe('generateContent', () => {
  it.each([[true], [false]])('receives audio inline with the instructions; model first: %s', async (isFirst) => {
    second.response = geminiText('kite\n');
    const model: Part = ['model', 'gemini'];
    const rest: Part[] = [
      ['prompt', 'bay'],
      ['temperature', '0.2'],
      ['keywords', 'x'],
    ];
    const reply = await post(isFirst ? [model, AUDIO, ...rest] : [AUDIO, model, ...rest]);
    expect([reply.status, await reply.json(), reply.headers.get('x-sluice-dropped')]).toEqual([
      200,
      {
        text: 'kite',
        usage: { type: 'tokens', input_tokens: 30, output_tokens: 2, total_tokens: 32 },
      },
      'keywords',
    ]);
    const [recorded] = second.recorded;
    expect(recorded?.path).toBe('/v1beta/models/gemini-2.5-flash:generateContent');
    expect(JSON.parse(recorded?.body.toString() ?? '')).toEqual({
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

  it('receives an instruction to translate into English', async () => {
    second.response = geminiText('kite');
    await post([['model', 'gemini'], AUDIO], '/v1/audio/translations');
    expect(second.recorded[0]?.body.toString()).toContain('Translate what is said in this audio into English.');
  });

  it.each([[true], [false]])('rejects audio over the inline limit with 413; model first: %s', async (isFirst) => {
    const file: Part = ['file', { filename: 'a.mp3', bytes: Buffer.alloc(15 * 1024 * 1024) }];
    const reply = await post(isFirst ? [['model', 'gemini'], file] : [file, ['model', 'gemini']]);
    expect([reply.status, await reply.json()]).toMatchObject([413, { error: { param: 'file' } }]);
    expect(second.recorded.filter(({ isComplete }) => isComplete)).toEqual([]);
  });

  it('reports a blocked prompt', async () => {
    second.response = json({ candidates: [{ finishReason: 'SAFETY' }] });
    const reply = await post([['model', 'gemini'], AUDIO]);
    expect([reply.status, await reply.json()]).toMatchObject([400, { error: { code: 'content_policy' } }]);
  });
});
