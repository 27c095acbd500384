import type { SpeechRequest } from '../contracts/audio-protocol.ts';
import { parseInput } from '../json/parse-input.ts';
import { SpeechSchema } from './speech-schema.ts';

/** @throws GatewayError `invalid_request` */
export function decodeSpeech(body: unknown): SpeechRequest {
  const {
    model,
    input,
    voice,
    instructions,
    response_format: format,
    speed,
    stream_format: streamFormat,
    ...fields
  } = parseInput(SpeechSchema, body ?? {});
  return {
    model,
    params: {
      input,
      voice,
      // Form libraries and SDKs send null for unset fields.
      ...(typeof instructions === 'string' && instructions !== '' && { instructions }),
      ...(typeof format === 'string' && { format }),
      ...(typeof speed === 'number' && { speed }),
      asEvents: streamFormat === 'sse',
      foreign: { protocol: 'openai', fields },
    },
  };
}
