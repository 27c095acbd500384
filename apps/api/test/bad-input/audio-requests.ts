import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { KEYS, SMALL_LIMITS } from '../api-rig.ts';
import { AUDIO, audioUpstream, type AudioUpstream, formOf, type Part, postForm } from '../audio-rig.ts';
import { rawHttp } from '../raw-http.ts';
import { type TextRig, textRig } from '../text-rig.ts';
import { CAROL, expectOpenAiError, type RefusedRequest, testRefusals } from './refused-requests.ts';

/** The text of a speech request can be up to 16 KiB long. */
export const AUDIO_LIMITS = { ...SMALL_LIMITS, json_bytes: 32 * 1024, upload_bytes: 256 * 1024 };

/** Starts an API with speech and transcription models. Checks that no test's complete request reaches an upstream. */
export function useAudioRig(): { readonly rig: TextRig } {
  let upstream: AudioUpstream | undefined;
  let rig: TextRig | undefined;
  beforeAll(async () => {
    upstream = await audioUpstream((_request, response) => response.end('{"text":"kite"}'));
    const { url } = upstream;
    rig = await textRig(
      {
        upstreams: {
          openai: { kind: 'chat-completions', base_url: url },
          anthropic: { kind: 'messages', base_url: url },
        },
        models: [
          { id: 'voice', routes: [{ upstream: 'openai', model: 'theirs' }] },
          { id: 'transcriber', routes: [{ upstream: 'openai', model: 'whisper-1' }] },
          { id: 'untimed', routes: [{ upstream: 'openai', model: 'gpt-4o-transcribe' }] },
          { id: 'chat', routes: [{ upstream: 'openai', model: 'theirs' }], capabilities: ['text'] },
          { id: 'claude', routes: [{ upstream: 'anthropic', model: 'theirs' }] },
        ],
      },
      { limits: AUDIO_LIMITS },
    );
  });
  afterEach(() => {
    expect(upstream?.recorded.filter(({ isComplete }) => isComplete)).toEqual([]);
  });
  afterAll(async () => {
    await rig?.close();
    await upstream?.close();
  });
  return {
    get rig() {
      if (!rig) throw new Error('The rig starts before the first test.');
      return rig;
    },
  };
}

/** Form fields that are invalid with any file: the test title, the fields, and the field that the error names. */
export type InvalidFields = [title: string, fields: Part[], param: string];

const MODEL: Part = ['model', 'transcriber'];
const FORMAT: Part = ['response_format', 'srt'];
const UNTIMED: Part = ['model', 'untimed'];
const UNKNOWN: Part = ['model', 'transcribr'];

const INVALID_FIELDS: readonly InvalidFields[] = [
  ['model is empty', [['model', '']], 'model'],
  ['model is missing', [], 'model'],
  ['model is repeated', [MODEL, MODEL], 'model'],
  ['the model generates only text', [['model', 'chat']], 'model'],
  ['the upstream has no transcription', [['model', 'claude']], 'model'],
  ['response_format is unknown', [MODEL, ['response_format', 'yaml']], 'response_format'],
  ['response_format is repeated', [MODEL, ['response_format', 'srt'], ['response_format', 'vtt']], 'response_format'],
  ['temperature is not a number', [MODEL, ['temperature', 'hot']], 'temperature'],
  ['temperature is below 0', [MODEL, ['temperature', '-0.1']], 'temperature'],
  ['temperature is above 1', [MODEL, ['temperature', '1.1']], 'temperature'],
  ['the form also has a text field named file', [MODEL, ['file', 'kite']], 'file'],
];

const INVALID_FILES: readonly InvalidFields[] = [
  ['the file is missing', [MODEL], 'file'],
  ['the form is empty', [], 'file'],
  ['the file is empty', [MODEL, ['file', { filename: 'a.wav', bytes: '' }]], 'file'],
  ['the file is empty and precedes the model', [['file', { filename: 'a.wav', bytes: '' }], MODEL], 'file'],
  ['the form has two files', [MODEL, AUDIO, AUDIO], 'file'],
  ['the form has two files before the model', [AUDIO, AUDIO, MODEL], 'file'],
  ['the file has another field name', [MODEL, ['audio', { filename: 'a.wav', bytes: 'x' }]], 'audio'],
  ['the form has a file of another field', [MODEL, AUDIO, ['mask', { filename: 'a.png', bytes: 'x' }]], 'mask'],
];

/**
 * Registers the bad-input tests of an endpoint that accepts audio in a form. @param more fields in addition to `model`
 */
export function testAudioForms(path: string, more: readonly InvalidFields[] = []): void {
  describe(`POST ${path}`, () => {
    const context = useAudioRig();
    const send = (body: Buffer, headers?: Record<string, string>) => postForm(context.rig.origin + path, body, headers);
    const post = (parts: readonly Part[], headers?: Record<string, string>) => send(formOf(parts), headers);
    const postAs = (type: string, body: string) => context.rig.post(path, body, { headers: { 'content-type': type } });
    const invalid = (title: string, body: Buffer): RefusedRequest => [title, () => send(body), 'invalid_request'];

    testRefusals(expectOpenAiError, {
      400: [
        ...INVALID_FIELDS.flatMap(([title, fields, param]): RefusedRequest[] => [
          [`${title}, before the file`, () => post([...fields, AUDIO]), 'invalid_request', param],
          [`${title}, after the file`, () => post([AUDIO, ...fields]), 'invalid_request', param],
        ]),
        ...[
          [UNTIMED, FORMAT, AUDIO],
          [UNTIMED, AUDIO, FORMAT],
          [AUDIO, UNTIMED, FORMAT],
        ].map((parts): RefusedRequest => [
          `the model returns no timestamps for srt: ${orderOf(parts)}`,
          () => post(parts),
          'unsupported_parameter',
          'response_format',
        ]),
        ...more.flatMap(([title, fields, param]) =>
          [
            [MODEL, ...fields, AUDIO],
            [MODEL, AUDIO, ...fields],
            [AUDIO, MODEL, ...fields],
          ].map((parts): RefusedRequest => [
            `${title}: ${orderOf(parts)}`,
            () => post(parts),
            'invalid_request',
            param,
          ]),
        ),
        ...INVALID_FILES.map(([title, parts, param]): RefusedRequest => [
          title,
          () => post(parts),
          'invalid_request',
          param,
        ]),
        invalid('the form is truncated in its file', formOf([MODEL, AUDIO], '').subarray(0, -6)),
        invalid('the form is truncated in its file, before the model', formOf([AUDIO], '').subarray(0, -6)),
        invalid(
          'the boundary does not match',
          Buffer.from('--c\r\ncontent-disposition: form-data; name="model"\r\n\r\ntranscriber\r\n'),
        ),
        invalid('the body is not a form', Buffer.from('kite')),
        [
          'a JSON part is nested 600 levels deep',
          () => send(withJsonParts('['.repeat(600) + ']'.repeat(600))),
          'invalid_request',
          'novel',
        ],
        ['the form has too many fields', () => post([MODEL, ...fields(201), AUDIO]), 'invalid_request'],
      ],
      403: [['the key does not allow the model', () => post([MODEL, AUDIO], CAROL), 'model_not_allowed', 'model']],
      404: [
        ['model is not configured, before the file', () => post([UNKNOWN, AUDIO]), 'model_not_found', 'model'],
        ['model is not configured, after the file', () => post([AUDIO, UNKNOWN]), 'model_not_found', 'model'],
      ],
      413: [
        ...[
          [MODEL, LARGE_FILE],
          [LARGE_FILE, MODEL],
        ].flatMap((parts): RefusedRequest[] => [
          [`the file is too large: ${orderOf(parts)}`, () => post(parts), 'payload_too_large'],
          [
            `the file is chunked and too large: ${orderOf(parts)}`,
            () => postChunked(context.rig.port, path, formOf(parts)),
            'payload_too_large',
          ],
        ]),
        [
          'all JSON parts together are too large',
          () => send(withJsonParts(`[1${',1'.repeat(10_000)}]`)),
          'payload_too_large',
        ],
        ['a field is too large', () => post([MODEL, LARGE_PROMPT, AUDIO]), 'payload_too_large'],
      ],
      415: [
        [
          'the body is JSON',
          () => postAs('application/json', JSON.stringify({ model: 'transcriber', file: 'kite' })),
          'unsupported_media_type',
        ],
        ['the body is an audio file', () => postAs('audio/wav', 'RIFF'), 'unsupported_media_type'],
        [
          'the body is a URL-encoded form',
          () => postAs('application/x-www-form-urlencoded', 'model=transcriber&file=kite'),
          'unsupported_media_type',
        ],
      ],
    });

    testMissingKey((headers) => post([MODEL, AUDIO], headers));

    it('stores no file', async () => {
      expect(await context.rig.storedFiles()).toEqual([]);
    });
  });
}

/** Registers the test of a request without an API key. */
export function testMissingKey(send: (headers: Record<string, string>) => Promise<Response>): void {
  describe('401', () => {
    it('the API key is missing', async () => {
      const response = await send({ authorization: '' });
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await response.json()).toMatchObject({ error: { code: 'invalid_api_key', param: null } });
    });
  });
}

const LARGE_FILE: Part = ['file', { filename: 'a.wav', bytes: Buffer.alloc(AUDIO_LIMITS.upload_bytes) }];
const LARGE_PROMPT: Part = ['prompt', 'x'.repeat(AUDIO_LIMITS.json_bytes + 1)];

const fields = (count: number) => Array.from({ length: count }, (_, index): Part => [`f${index}`, '1']);

const orderOf = (parts: readonly Part[]) => parts.map(([name]) => name).join(', ');

/** Encodes a form that has the same JSON part twice, a valid model, and a valid file. */
function withJsonParts(json: string): Buffer {
  const head = '--b\r\ncontent-disposition: form-data; name="novel"\r\ncontent-type: application/json\r\n\r\n';
  const part = Buffer.from(`${head}${json}\r\n`);
  return Buffer.concat([part, part, formOf([MODEL, AUDIO])]);
}

/** Sends a form as one chunk without a Content-Length. */
async function postChunked(port: number, path: string, form: Buffer): Promise<Response> {
  const head = [
    `POST ${path} HTTP/1.1`,
    'host: x',
    `authorization: Bearer ${KEYS.alice}`,
    'content-type: multipart/form-data; boundary=b',
    'transfer-encoding: chunked',
    'connection: close',
  ].join('\r\n');
  const body = form.toString('latin1');
  const chunk = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const response = await rawHttp(port, [`${head}\r\n\r\n`, chunk]);
  return new Response(response.body, response);
}
