import {
  type DirectCapability,
  fieldsForUpstream,
  type Speech,
  SPEECH_TYPES,
  type SpeechParams,
} from '@sluice/canonical';
import type { DirectCredential } from '../direct/create-direct-upstream.ts';
import { openDirect, parsed } from '../direct/open-direct.ts';
import { openAiEventRefusal, openAiRefusal } from '../direct/openai-refusal.ts';
import { firstChunk } from '../http/first-chunk.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';

/** OpenAI's older models return only bytes and reject requests for events. */
const BYTES_ONLY = /(?:^|\/)tts-1/;
/** Audio types. Some servers return the type of the container, which may be a video type. */
const AUDIO_TYPES = /^(?:audio|video)\/|^application\/ogg$/;
/** Types that are never audio: errors and web pages sent with HTTP 200. */
const NO_AUDIO_TYPES = /^text\/|json|xml/;
const OTHER_BYTES = 1024 * 1024;

/** `POST /audio/speech` of OpenAI and compatible servers (openai-node 7.55, `resources/audio/speech`). */
export function openAiSpeech(
  account: UpstreamAccount,
  context: UpstreamContext,
  credential: DirectCredential,
): DirectCapability<SpeechParams, Speech> {
  const { open } = openDirect(account, context, credential, openAiRefusal);
  return {
    call: async (params, { model, signal, report, traceHeaders }) => {
      const { input, voice, instructions, format, speed, asEvents, foreign } = params;
      const isEventsRequested = asEvents && !BYTES_ONLY.test(model);
      const body = {
        ...fieldsForUpstream(foreign, 'openai', report),
        model,
        input,
        voice,
        ...(instructions !== undefined && { instructions }),
        ...(format !== undefined && { response_format: format }),
        ...(speed !== undefined && { speed }),
        ...(isEventsRequested && { stream_format: 'sse' }),
      };
      const response = await open({
        path: '/audio/speech',
        contentType: 'application/json',
        accept: isEventsRequested ? 'text/event-stream' : 'audio/*, application/octet-stream',
        body: JSON.stringify(body),
        model,
        traceHeaders,
        signal,
      });
      const { headers, misunderstood, refused } = response;
      const declared = headers['content-type'] ?? '';
      const type = declared.split(';', 1)[0]?.trim().toLowerCase() ?? '';
      const isEvents = type === 'text/event-stream' && isEventsRequested;
      if (!isEvents && NO_AUDIO_TYPES.test(type)) {
        const other = await response.body.collect(OTHER_BYTES).catch(() => undefined);
        throw misunderstood(parsed(other));
      }
      const stream = await firstChunk(response.body);
      if (stream === undefined) throw misunderstood(undefined);
      if (isEvents) return { kind: 'events', body: stream, refusal: openAiEventRefusal(refused) };
      const mediaType = AUDIO_TYPES.test(type) ? declared : SPEECH_TYPES[format ?? 'mp3'];
      return { kind: 'audio', mediaType, body: stream };
    },
  };
}
