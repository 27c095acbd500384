import type { GatewayError, TranscriptionParams } from '@sluice/canonical';
import type { SpeechProtocol, TranscriptionProtocol } from '../contracts/audio-protocol.ts';
import { GENERATION_ERRORS, MODERATED_CALL_ERRORS } from '../errors/call-errors.ts';
import { defineEndpoints, type EndpointResponse } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { sseData } from '../stream/sse.ts';
import { openSpeechWriter } from './speech-events.ts';
import { decodeSpeech } from './speech-request.ts';
import { SpeechSchema } from './speech-schema.ts';
import { decodeTranscription } from './transcription-request.ts';
import { TranscriptionFormSchema, TranscriptSchema, TranslationFormSchema } from './transcription-schema.ts';
import { encodeTranscript, encodeTranscriptEvents } from './transcript-response.ts';
import { watchEvents } from './watch-events.ts';

const common = {
  name: 'audio',
  encodeError: encodeOpenAiError,
  // OpenAI's SDKs throw the value of the `error` field.
  encodeErrorEvent: (error: GatewayError) => sseData({ type: 'error', ...encodeOpenAiError(error) }),
  errorSchema: OpenAiErrorSchema,
};

export const speechProtocol: SpeechProtocol = {
  ...common,
  decode: decodeSpeech,
  openWriter: openSpeechWriter,
  openWatcher: watchEvents,
};

function transcriptionProtocol(task: TranscriptionParams['task']): TranscriptionProtocol {
  return {
    ...common,
    task,
    fileField: 'file',
    decode: (fields) => decodeTranscription(task, fields),
    encode: encodeTranscript,
    encodeEvents: encodeTranscriptEvents,
    openWatcher: watchEvents,
  };
}

const TRANSCRIPT: EndpointResponse = {
  description: 'The transcript in the requested format',
  content: {
    'application/json': TranscriptSchema,
    'text/plain': 'binary',
    'application/x-subrip': 'binary',
    'text/vtt': 'binary',
    'text/event-stream': 'binary',
  },
};

export const audioEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/audio/speech',
    operationId: 'createSpeech',
    summary: 'Generate speech from text',
    action: 'speech.create',
    kind: 'speech',
    credentials: ['bearer'],
    protocol: speechProtocol,
    body: { content: { 'application/json': SpeechSchema }, fileFields: [], isText: true },
    responses: {
      200: {
        description: 'The audio, streamed as it is generated',
        content: { 'audio/*': 'binary', 'text/event-stream': 'binary' },
      },
    },
    errors: GENERATION_ERRORS,
  },
  {
    method: 'POST',
    path: '/v1/audio/transcriptions',
    operationId: 'createTranscription',
    summary: 'Transcribe audio',
    action: 'transcription.create',
    kind: 'transcription',
    credentials: ['bearer'],
    protocol: transcriptionProtocol('transcribe'),
    body: { content: { 'multipart/form-data': TranscriptionFormSchema }, fileFields: ['file'] },
    responses: { 200: TRANSCRIPT },
    errors: [...MODERATED_CALL_ERRORS, 'store_unavailable'],
  },
  {
    method: 'POST',
    path: '/v1/audio/translations',
    operationId: 'createTranslation',
    summary: 'Translate audio to English text',
    action: 'translation.create',
    kind: 'transcription',
    credentials: ['bearer'],
    protocol: transcriptionProtocol('translate'),
    body: { content: { 'multipart/form-data': TranslationFormSchema }, fileFields: ['file'] },
    responses: { 200: TRANSCRIPT },
    errors: [...MODERATED_CALL_ERRORS, 'store_unavailable'],
  },
]);
