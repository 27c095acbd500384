import type { FastifyReply } from 'fastify';
import { createSpeech, SAMPLE_RATE, type Speech } from '../../media/audio/create-speech.ts';
import { encodeSpeech, SOUND_TYPES, type SoundFormat } from '../../media/audio/encode-speech.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveText, type TextCall } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { directiveNumber } from '../../directives/text-directives.ts';
import { countTokens } from '../../text/word-tokens.ts';
import { formatOpenAiFault, openAiTextWire } from '../openai-style/format-openai-fault.ts';
import { readSpeechRequest } from './speech-request.ts';
import { sseFailure, sseFrame } from './sse-frame.ts';

const WIRE = openAiTextWire('speech', 'input');
const MEGABYTE = 1024 ** 2;
const TOKENS_A_SECOND = 20;

function* events(speech: Speech, format: SoundFormat): Generator<string> {
  for (const chunk of encodeSpeech(speech, format)) {
    yield sseFrame({ type: 'speech.audio.delta', audio: chunk.toString('base64') });
  }
  const input = countTokens(speech.text);
  const output = Math.ceil((speech.samples / SAMPLE_RATE) * TOKENS_A_SECOND);
  const usage = { input_tokens: input, output_tokens: output, total_tokens: input + output };
  yield sseFrame({ type: 'speech.audio.done', usage });
}

/**
 * The response is always streamed and is generated on demand.
 * @throws WireError for an invalid request or an injected fault.
 */
export function serveSpeech(vendor: TextVendor, body: unknown, reply: FastifyReply): Promise<FastifyReply> {
  const { model, input, format, speed, asEvents } = readSpeechRequest(body);
  const speech = createSpeech(input, speed, (directiveNumber(input, 'long') ?? 0) * MEGABYTE);
  const request = plainRequest(model, input);
  const call: TextCall = {
    request,
    stream: true,
    body: () => undefined,
    frames: () => (asEvents ? events(speech, format) : encodeSpeech(speech, format)),
    // A stream of audio bytes cannot report an error.
    failure: asEvents ? () => sseFailure(formatOpenAiFault('broken', request, 'input')) : undefined,
    streamType: asEvents ? undefined : SOUND_TYPES[format],
  };
  return serveText(vendor, WIRE, call, reply);
}
