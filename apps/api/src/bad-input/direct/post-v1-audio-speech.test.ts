import { describe } from 'vitest';
import { formOf, postForm } from '../../../test/audio-rig.ts';
import { AUDIO_LIMITS, testMissingKey, useAudioRig } from '../../../test/bad-input/audio-requests.ts';
import {
  CAROL,
  expectOpenAiError,
  type InvalidBody,
  invalidRequests,
  testRefusals,
} from '../../../test/bad-input/refused-requests.ts';

const PATH = '/v1/audio/speech';
const valid = { model: 'voice', input: 'kite', voice: 'ash' };

const INVALID_FIELDS: readonly [title: string, fields: Record<string, unknown>, param: string][] = [
  ['model is missing', { model: undefined }, 'model'],
  ['model is empty', { model: '' }, 'model'],
  ['model is a number', { model: 5 }, 'model'],
  ['the model generates only text', { model: 'chat' }, 'model'],
  ['the upstream has no speech', { model: 'claude' }, 'model'],
  ['input is missing', { input: undefined }, 'input'],
  ['input is empty', { input: '' }, 'input'],
  ['input is null', { input: null }, 'input'],
  ['input is an array', { input: ['kite'] }, 'input'],
  ['input has 4,097 characters', { input: 'x'.repeat(4_097) }, 'input'],
  ['input has 4,097 emojis', { input: '🪁'.repeat(4_097) }, 'input'],
  ['voice is missing', { voice: undefined }, 'voice'],
  ['voice is empty', { voice: '' }, 'voice'],
  ['the id of voice is missing', { voice: {} }, 'voice'],
  ['voice is a number', { voice: 1 }, 'voice'],
  ['response_format is unknown', { response_format: 'ogg' }, 'response_format'],
  ['response_format is a number', { response_format: 3 }, 'response_format'],
  ['speed is below 0.25', { speed: 0.24 }, 'speed'],
  ['speed is above 4', { speed: 4.1 }, 'speed'],
  ['speed is a string', { speed: '1' }, 'speed'],
  ['stream_format is unknown', { stream_format: 'websocket' }, 'stream_format'],
  ['instructions is an array', { instructions: ['slowly'] }, 'instructions'],
];

describe(`POST ${PATH}`, () => {
  const context = useAudioRig();
  const post = (body: unknown, headers = {}) => context.rig.post(PATH, body, { headers });

  testRefusals(expectOpenAiError, {
    400: invalidRequests(post, [
      ['the body is empty', '', 'model'],
      ['the object is empty', {}, 'model'],
      ...INVALID_FIELDS.map(([title, fields, param]): InvalidBody => [title, { ...valid, ...fields }, param]),
      ['the JSON is truncated', '{"model": "voice"', null],
      ['the JSON is an array', [valid], null],
      ['the JSON is a string', '"kite"', null],
      ['the JSON is null', 'null', 'model'],
    ]),
    403: [['the key does not allow the model', () => post(valid, CAROL), 'model_not_allowed', 'model']],
    404: [['model is not configured', () => post({ ...valid, model: 'vioce' }), 'model_not_found', 'model']],
    413: [
      [
        'the body is too large',
        () => post({ ...valid, instructions: 'x'.repeat(AUDIO_LIMITS.json_bytes) }),
        'payload_too_large',
      ],
    ],
    415: [
      [
        'the body is a form',
        () => postForm(context.rig.origin + PATH, formOf([['model', 'voice']])),
        'unsupported_media_type',
      ],
    ],
  });
  testMissingKey((headers) => post(valid, headers));
});
