import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { EMBEDDING_WIDTH, type EmbedParams, readBatchRequest, readEmbedRequest } from './embed-request.ts';
import { formatGoogleFault } from '../google-style/google-error.ts';

/** Google normalizes only full vectors; gemini-embedding-2 also normalizes shorter ones (Gemini API, "Embeddings"). */
function embed({ text, dimensions }: EmbedParams, model: string) {
  if (model.includes('embedding-2')) return { values: unitVector(embedText(text, dimensions)) };
  return { values: unitVector(embedText(text, EMBEDDING_WIDTH)).slice(0, dimensions) };
}

/**
 * The responses report no usage.
 * @throws WireError for an invalid request or an injected fault.
 */
export function serveEmbeddings(
  vendor: TextVendor,
  { body }: FastifyRequest,
  reply: FastifyReply,
  { model, batch }: { model: string; batch: boolean },
): Promise<FastifyReply> {
  const paramsList = batch ? readBatchRequest(body, model) : [readEmbedRequest(body, model)];
  const text = paramsList[0]?.text ?? '';
  const call = {
    wire: 'generative-content',
    text,
    fault: (fault: Parameters<typeof formatGoogleFault>[0]) => formatGoogleFault(fault, plainRequest(model, text)),
    body() {
      const embeddings = paramsList.map((params) => embed(params, model));
      return batch ? { embeddings } : { embedding: embeddings[0] };
    },
  };
  return serveBuffered(vendor, call, reply);
}
