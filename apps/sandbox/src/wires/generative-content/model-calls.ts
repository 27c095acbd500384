import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Completion } from '../../text/completion.ts';
import { countInput } from '../../text/complete-request.ts';
import { serveText, type TextWire } from '../../text/serve-text.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { requestsSpeech, generativeSpeech } from '../generative-audio/generative-speech.ts';
import { createGenerateImage } from '../generative-images/generate-image.ts';
import { requestsImage } from '../generative-images/image-params.ts';
import { checkCountRequest, checkGenerateRequest } from '../google-style/check-generate-request.ts';
import { formatGoogleFault } from '../google-style/google-error.ts';
import { generativeFailure, generativeFrames } from '../google-style/google-frames.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { decodeGenerateRequest } from './decode-generate-request.ts';
import { type GenerativeHead, partialResponses, completeResponse } from './generative-response.ts';

export const GENERATIVE_WIRE: TextWire = { name: 'generative-content', fault: formatGoogleFault };

export interface ModelCall {
  Params: { '*': string };
  Querystring: { key?: unknown; alt?: unknown };
}

/** In `models/{model}:{verb}`, the model may contain slashes and colons. */
export function splitCall(path: string): { model: string; verb: string } {
  const at = path.lastIndexOf(':');
  return at === -1 ? { model: path, verb: '' } : { model: path.slice(0, at), verb: path.slice(at + 1) };
}

export function pathOf({ params }: FastifyRequest): string {
  const rest: unknown = Object(params)['*'];
  return typeof rest === 'string' ? rest : '';
}

/** Serves `generateContent` and its variants, whose bodies are the same in Gemini's API and in Vertex AI. */
export function createModelCalls(vendor: TextVendor, media: MediaVendor) {
  const generateImage = createGenerateImage(media, vendor.secretStore);

  function generate(request: FastifyRequest, reply: FastifyReply, model: string, stream: boolean) {
    const asEvents = Object(request.query).alt === 'sse';
    if (requestsImage(request.body, model)) {
      const framing = stream ? (asEvents ? 'events' : 'array') : 'complete';
      return generateImage(request, reply, { model, framing });
    }
    const body = checkGenerateRequest(request.body, model, vendor.secretStore);
    if (requestsSpeech(body, model)) {
      const call = generativeSpeech(body, { model, stream, asEvents, id: vendor.newId().slice(0, 24) });
      return serveText(vendor, GENERATIVE_WIRE, call, reply);
    }
    const newest = /gemini-3|strict/.test(model);
    const head: GenerativeHead = {
      id: vendor.newId().slice(0, 24),
      model,
      candidates: body.generationConfig?.candidateCount ?? 1,
      includeThoughts: body.generationConfig?.thinkingConfig?.includeThoughts === true,
      secretStore: vendor.secretStore,
      newCallId: newest ? () => vendor.newId().slice(0, 8) : undefined,
    };
    const call = {
      request: decodeGenerateRequest(body, model),
      stream,
      streamType: asEvents ? 'text/event-stream' : 'application/json; charset=UTF-8',
      body: (response: Completion) => completeResponse(response, head),
      frames: (response: Completion) => generativeFrames(partialResponses(response, head), asEvents),
      failure: (sent: number) => generativeFailure(asEvents, sent),
    };
    return serveText(vendor, GENERATIVE_WIRE, call, reply);
  }

  function count(body: unknown, model: string) {
    const incoming = decodeGenerateRequest(checkCountRequest(body, model, vendor.secretStore), model);
    const { input } = countInput(incoming);
    return { totalTokens: input, promptTokensDetails: [{ modality: 'TEXT', tokenCount: input }] };
  }

  return { generate, count };
}
