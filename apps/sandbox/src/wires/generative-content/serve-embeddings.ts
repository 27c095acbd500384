import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { EMBEDDING_WIDTH, readBatchRequest, readEmbedRequest } from './embed-request.ts';
import { formatGoogleFault } from '../google-style/google-error.ts';

/** Google normalizes only full-length vectors, but gemini-embedding-2 also shorter ones (Gemini API, "Embeddings"). */
function embed({ text, dimensions }: ReturnType<typeof readEmbedRequest>, model: string) {
  if (model.includes('embedding-2')) return { values: unitVector(embedText(text, dimensions)) };
  return { values: unitVector(embedText(text, EMBEDDING_WIDTH)).slice(0, dimensions) };
}

/**
 * The vendor reports no usage for embeddings.
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
  const fault = (kind: TextFault) => formatGoogleFault(kind, plainRequest(model, text));
  function responseBody(): object {
    const embeddings = paramsList.map((params) => embed(params, model));
    return batch ? { embeddings } : { embedding: embeddings[0] };
  }
  return serveBuffered(vendor, { wire: 'generative-content', text, fault, body: responseBody }, reply);
}
