import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { at, wireCaller } from '../../../test/wire-caller.ts';
import { createSpeech } from '../../media/audio/create-speech.ts';
import { encodeSpeech, type SoundFormat } from '../../media/audio/encode-speech.ts';
import { wavHeader } from '../../media/audio/wav-header.ts';
import { type RunningSandbox, startSandbox } from '../../start-sandbox.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());
const call = wireCaller(() => sandbox.url, { authorization: 'Bearer sk-sandbox' });
beforeEach(() => call('GET', '/_sandbox/requests?clear=1'));

const TEXT = 'The kite flies. It is 你好!';
const sound = (text = TEXT, format: SoundFormat = 'wav') =>
  new Blob([Buffer.concat([...encodeSpeech(createSpeech(text), format)])]);

function postForm(fields: [string, string | Blob][], task = 'transcriptions', key = 'sk-sandbox') {
  const body = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, 'speech.bin');
  }
  return fetch(`${sandbox.url}/v1/audio/${task}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    body,
  });
}
const seen = async () => at((await call('GET', '/_sandbox/requests')).body, 'requests.0');
const transcribe = (more: [string, string][] = [], task = 'transcriptions', model = 'whisper-1') =>
  postForm([['file', sound()], ['model', model], ...more], task);

const times = (...of: string[]) => of.map((name): [string, string] => ['timestamp_granularities[]', name]);

describe('transcription', () => {
  it.each(['wav', 'mp3', 'flac'] as const)('transcribes %s, with the file first or last', async (format) => {
    const parts: [string, string | Blob][] = [
      ['file', sound(TEXT, format)],
      ['model', 'whisper-1'],
      ['prompt', 'A kite.'],
    ];
    for (const fields of [parts, parts.toReversed()]) {
      expect(await (await postForm(fields)).json()).toMatchObject({
        text: TEXT,
        usage: { type: 'duration', seconds: expect.any(Number) },
      });
    }
  });

  it('describes a file without hidden text', async () => {
    const silence = new Blob([wavHeader(36_000), Buffer.alloc(72_000)]);
    expect(
      await (
        await postForm([
          ['file', silence],
          ['model', 'm'],
        ])
      ).json(),
    ).toMatchObject({ text: '(1.5 s of audio/wav)' });
    const ogg = new Blob(['OggS', Buffer.alloc(96)]);
    expect(
      await (
        await postForm([
          ['file', ogg],
          ['model', 'm'],
        ])
      ).json(),
    ).toMatchObject({ text: '(100 bytes of audio/ogg)' });
  });

  it('responds with text and with captions', async () => {
    const text = await transcribe([['response_format', 'text']]);
    expect(text.headers.get('content-type')).toContain('text/plain');
    expect(await text.text()).toBe(`${TEXT}\n`);
    const [srt, vtt] = [await transcribe([['response_format', 'srt']]), await transcribe([['response_format', 'vtt']])];
    expect(await srt.text()).toBe(
      '1\n00:00:00,000 --> 00:00:00,640\nThe kite flies.\n\n2\n00:00:00,640 --> 00:00:01,000\nIt is 你好!\n\n',
    );
    expect(await vtt.text()).toMatch(/^WEBVTT\n\n00:00:00\.000 --> 00:00:00\.\d{3}\nThe kite flies\.\n\n00:/);
  });

  it('returns sentences and words with times, as requested', async () => {
    const plain = await (
      await transcribe([
        ['response_format', 'verbose_json'],
        ['language', 'de'],
      ])
    ).json();
    expect(plain).toMatchObject({
      task: 'transcribe',
      language: 'german',
      duration: 1,
      text: TEXT,
      segments: [
        { id: 0, start: 0, end: expect.closeTo(0.64, 1), text: 'The kite flies.' },
        { id: 1, start: expect.closeTo(0.64, 1), end: 1, text: 'It is 你好!' },
      ],
      usage: { type: 'duration', seconds: 1 },
    });
    expect(plain).not.toHaveProperty('words');
    const words = await (await transcribe([['response_format', 'verbose_json'], ...times('word')])).json();
    expect(words).not.toHaveProperty('segments');
    expect(at(words, 'words.1')).toMatchObject({ word: 'kite', start: expect.closeTo(0.12, 1) });
    expect(at(words, 'words.5')).toMatchObject({ word: '你好!', end: 1 });
    const both = await (await transcribe([['response_format', 'verbose_json'], ...times('word', 'segment')])).json();
    expect(both).toMatchObject({ words: expect.any(Array), segments: expect.any(Array) });
  });

  it('separates speakers', async () => {
    const model: [string, string][] = [
      ['model', 'gpt-4o-transcribe-diarize'],
      ['response_format', 'diarized_json'],
    ];
    const names: [string, string][] = [
      ['known_speaker_names[]', 'Ann'],
      ['known_speaker_references[]', 'data:audio/wav;base64,AAAA'],
      ['chunking_strategy', 'auto'],
    ];
    const segments = async (fields: [string, string][]) =>
      at(await (await postForm([['file', sound()], ...model, ...fields])).json(), 'segments');
    expect(await segments([])).toMatchObject([{ speaker: 'A', id: 'seg_1' }, { speaker: 'B' }]);
    expect(await segments(names)).toMatchObject([{ speaker: 'Ann' }, { speaker: 'Ann' }]);
    expect(await (await postForm([['file', sound()], ...model, ['stream', 'true']])).text()).toContain(
      'transcript.text.segment',
    );
  });

  it('streams if the model can, and counts tokens', async () => {
    const response = await transcribe(
      [
        ['stream', 'true'],
        ['include[]', 'logprobs'],
      ],
      'transcriptions',
      'gpt-4o-transcribe',
    );
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = (await response.text())
      .trimEnd()
      .split('\n\n')
      .map((frame): unknown => JSON.parse(frame.slice(6)));
    expect(
      events
        .slice(0, -1)
        .map((event) => at(event, 'delta'))
        .join(''),
    ).toBe(TEXT);
    expect(events.at(-1)).toMatchObject({
      type: 'transcript.text.done',
      text: TEXT,
      logprobs: expect.any(Array),
      usage: { type: 'tokens', input_tokens: 10, output_tokens: 6, total_tokens: 16 },
    });
    const whisper = await transcribe([['stream', 'true']]);
    expect(whisper.headers.get('content-type')).toContain('application/json');
  });

  it.each<[string, [string, string][], string, string | null]>([
    ['whisper-1', [['lang', 'de']], 'lang', 'unknown_parameter'],
    ['whisper-1', [['language', 'german']], 'language', 'invalid_language_format'],
    ['whisper-1', [['temperature', '1.5']], 'temperature', 'decimal_above_max_value'],
    ['whisper-1', [['response_format', 'xml']], 'response_format', 'invalid_value'],
    ['whisper-1', [['response_format', 'diarized_json']], 'response_format', 'unsupported_value'],
    ['whisper-1', [['timestamp_granularities[]', 'word']], 'timestamp_granularities', null],
    ['whisper-1', [['timestamp_granularities', 'word']], 'timestamp_granularities', 'invalid_type'],
    ['whisper-1', [['include[]', 'logprobs']], 'include', 'unsupported_value'],
    ['whisper-1', [['chunking_strategy[type]', 'vad']], 'chunking_strategy.type', 'invalid_value'],
    ['whisper-1', [['known_speaker_names[]', 'Ann']], 'known_speaker_names', 'unsupported_value'],
    ['gpt-4o-transcribe', [['response_format', 'srt']], 'response_format', 'unsupported_value'],
    ['gpt-4o-transcribe', [['keywords[]', 'kite']], 'keywords', 'unsupported_value'],
    ['gpt-4o-transcribe-diarize', [['prompt', 'x']], 'prompt', 'unsupported_value'],
    ['whisper-verbose', [['response_format', 'srt']], 'response_format', 'unsupported_value'],
    ['whisper-verbose', [['response_format', 'text']], 'response_format', 'unsupported_value'],
  ])('rejects for %s %j', async (model, more, param, code) => {
    const response = await transcribe(more, 'transcriptions', model);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { type: 'invalid_request_error', param, code } });
  });

  it('rejects a body that is not a form, has no file, two files, or no audio', async () => {
    expect((await call('POST', '/v1/audio/transcriptions', { model: 'm' })).status).toBe(400);
    const errors = [
      await postForm([['model', 'm']]),
      await postForm([
        ['model', 'm'],
        ['file', sound()],
        ['file', sound()],
      ]),
      await postForm([
        ['model', 'm'],
        ['sound', sound()],
      ]),
      await postForm([
        ['model', 'm'],
        ['file', new Blob(['hello'])],
      ]),
      await postForm([['file', sound()]]),
    ].map(async (response) => at(await response.json(), 'error.param'));
    expect(await Promise.all(errors)).toEqual(['file', 'file', 'sound', 'file', 'model']);
  });

  it('applies directives in the prompt and in the transcript', async () => {
    const statuses = [];
    for (let turn = 0; turn < 3; turn += 1) statuses.push((await transcribe([['prompt', '[500] here']])).status);
    expect(statuses).toEqual([500, 500, 200]);
    expect(
      (
        await postForm([
          ['file', sound('kite [overloaded]')],
          ['model', 'm'],
        ])
      ).status,
    ).toBe(503);
    expect((await transcribe([['prompt', '[garbage]']])).headers.get('content-type')).toContain('text/html');
    await expect((await transcribe([['prompt', '[cut]']])).text()).rejects.toThrow();
    const broken = await transcribe(
      [
        ['prompt', '[error]'],
        ['stream', 'true'],
      ],
      'transcriptions',
      'gpt-4o-transcribe',
    );
    expect(await broken.text()).toMatch(/"error":\{"message".*\n\n$/);
  });

  it('logs the form, and the file by its digest', async () => {
    await transcribe([['language', 'en']]);
    const bytes = Buffer.from(await sound().arrayBuffer());
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    expect(await seen()).toMatchObject({
      wire: 'audio',
      model: 'whisper-1',
      body: { language: 'en', file: { filename: 'speech.bin', bytes: bytes.length, sha256 } },
    });
  });
});

describe('translation', () => {
  it('returns the same text, as English', async () => {
    const response = await transcribe([['response_format', 'verbose_json']], 'translations');
    expect(await response.json()).toMatchObject({ task: 'translate', language: 'english', text: TEXT });
  });

  it.each<[string, string, string]>([
    ['language', 'de', 'unknown_parameter'],
    ['timestamp_granularities[]', 'word', 'unknown_parameter'],
    ['stream', 'true', 'unknown_parameter'],
    ['model', 'gpt-4o-transcribe', 'invalid_value'],
  ])('rejects %s %s', async (name, value, code) => {
    const response = await transcribe([[name, value]], 'translations');
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { param: name.replace('[]', ''), code } });
  });
});
