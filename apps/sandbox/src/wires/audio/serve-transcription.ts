import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainRequest } from '../../text/text-request.ts';
import { serveText } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { missingParameter } from '../openai-style/openai-error.ts';
import { formatOpenAiFault, openAiTextWire } from '../openai-style/format-openai-fault.ts';
import { readAudioForm } from './read-audio-form.ts';
import { renderTranscript, transcriptEvents } from './render-transcript.ts';
import { sseFailure } from './sse-frame.ts';
import { transcriptOf } from './transcript.ts';
import { readTranscriptionRequest, type SpeechTask } from './transcription-request.ts';

const WIRE = openAiTextWire('transcription', 'input');

/**
 * Translations return the transcript unchanged. Directives may be in the prompt or in the transcript.
 * @throws WireError for an invalid request or an injected fault.
 */
export async function serveTranscription(
  vendor: TextVendor,
  request: FastifyRequest,
  reply: FastifyReply,
  task: SpeechTask,
): Promise<FastifyReply> {
  const { fields, file, recorded, problem } = await readAudioForm(request);
  const model = typeof fields['model'] === 'string' ? fields['model'] : null;
  vendor.log.update(reply.raw, { model, body: { ...fields, file } });
  const params = readTranscriptionRequest(fields, task);
  if (problem !== undefined) throw problem;
  if (recorded === undefined) throw missingParameter('file');
  const transcript = transcriptOf(recorded);
  const incoming = plainRequest(params.model, `${params.prompt}\n${recorded.text ?? ''}`);
  const body = renderTranscript(transcript, params);
  if (typeof body === 'string' && !params.stream) reply.type('text/plain; charset=utf-8');
  const call = {
    request: incoming,
    stream: params.stream,
    body: () => body,
    frames: () => transcriptEvents(transcript, params),
    failure: () => sseFailure(formatOpenAiFault('broken', incoming, 'input')),
  };
  return serveText(vendor, WIRE, call, reply);
}
