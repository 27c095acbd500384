import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { EMBEDDING_WIDTH, type EmbedParams, readBatchRequest, readEmbedRequest } from './embed-request.ts';
import { formatGoogleFault } from '../google-style/google-error.ts';

/**
 * Only a whole vector has the length 1, the vendor says, and who wants fewer numbers must see to it; gemini-embedding-2
 * does so itself (Gemini API, "Embeddings").
 */
function embed({ text, dimensions }: EmbedParams, model: string) {
  if (model.includes('embedding-2')) return { values: unitVector(embedText(text, dimensions)) };
  return { values: unitVector(embedText(text, EMBEDDING_WIDTH)).slice(0, dimensions) };
}

/**
 * Answers `embedContent` and `batchEmbedContents`, which tell no usage.
 * @throws WireError for a request that the vendor refuses, or a failure that a word asks for.
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
