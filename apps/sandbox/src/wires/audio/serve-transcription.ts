import type { FastifyReply, FastifyRequest } from 'fastify';
import { plainQuestion } from '../../text/question.ts';
import { serveText, type TextWire } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { invalidParameter } from '../openai-style/openai-error.ts';
import { openAiFault } from '../openai-style/openai-fault.ts';
import { readAudioForm } from './read-audio-form.ts';
import { renderTranscript, transcriptEvents } from './render-transcript.ts';
import { sseFailure } from './sse-frame.ts';
import { transcriptOf } from './transcript.ts';
import { readTranscriptionRequest, type SpeechTask } from './transcription-request.ts';

const WIRE: TextWire = { name: 'transcription', fault: (fault, question) => openAiFault(fault, question, 'input') };

/**
 * Answers a transcription or a translation, which tells the same words; words are looked for in the prompt and in what
 * the file says.
 * @throws WireError for a request that is wrong, and for failures that words ask for.
 */
export async function serveTranscription(
  vendor: TextVendor,
  request: FastifyRequest,
  reply: FastifyReply,
  task: SpeechTask,
): Promise<FastifyReply> {
  const { fields, file, heard, problem } = await readAudioForm(request);
  const model = typeof fields['model'] === 'string' ? fields['model'] : null;
  vendor.log.read(reply.raw, { model, body: { ...fields, ...(file && { file }) } });
  const wish = readTranscriptionRequest(fields, task);
  if (problem !== undefined) throw problem;
  if (heard === undefined) {
    throw invalidParameter('file', "Missing required parameter: 'file'.", 'missing_required_parameter');
  }
  const transcript = transcriptOf(heard);
  const question = plainQuestion(wish.model, `${wish.prompt}\n${heard.text ?? ''}`);
  const body = renderTranscript(transcript, wish);
  if (typeof body === 'string' && !wish.stream) reply.type('text/plain; charset=utf-8');
  const call = {
    question,
    stream: wish.stream,
    body: () => body,
    frames: () => transcriptEvents(transcript, wish),
    failure: () => sseFailure(openAiFault('broken', question, 'input')),
  };
  return serveText(vendor, WIRE, call, reply);
}
