import { z } from 'zod';
import { SOUND_TYPES, type SoundFormat } from '../../media/audio/encode-speech.ts';
import { isObject } from '../../schema/json.ts';
import { names } from '../../schema/names.ts';
import { explainIssue } from '../openai-style/explain-issue.ts';
import { invalidParameter, openAiError } from '../openai-style/openai-error.ts';

/** Source of the voices: openai 7.55.0. */
const VOICES = names('alloy ash ballad coral echo fable onyx nova sage shimmer verse marin cedar');

const Body = z.strictObject({
  model: z.string().min(1),
  input: z.string().min(1).max(4096),
  voice: z.union([z.enum(VOICES), z.strictObject({ id: z.string().min(1) })]),
  instructions: z.string().max(4096).optional(),
  response_format: z.enum(['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']).optional(),
  speed: z.number().min(0.25).max(4).optional(),
  stream_format: z.enum(['audio', 'sse']).optional(),
});

function isSoundFormat(format: string): format is SoundFormat {
  return Object.hasOwn(SOUND_TYPES, format);
}

export function readSpeechRequest(body: unknown) {
  if (!isObject(body)) {
    throw openAiError(400, 'Invalid type for body: expected an object.', { code: 'invalid_type' });
  }
  const read = Body.safeParse(body);
  if (!read.success) throw explainIssue(read.error, body);
  const { model, input, response_format: format = 'mp3', speed = 1, stream_format } = read.data;
  if (!isSoundFormat(format)) {
    const message = `The response format '${format}' is not supported with this model. Supported formats are: 'mp3', 'flac', 'wav', and 'pcm'.`;
    throw invalidParameter('response_format', message, 'unsupported_value');
  }
  const asEvents = stream_format === 'sse';
  if (asEvents && model.startsWith('tts-1')) {
    const message = `The stream format 'sse' is not supported with the model '${model}'.`;
    throw invalidParameter('stream_format', message, 'unsupported_value');
  }
  return { model, input, format, speed, asEvents };
}
