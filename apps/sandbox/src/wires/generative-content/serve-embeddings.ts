import type { FastifyReply, FastifyRequest } from 'fastify';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { plainQuestion } from '../../text/question.ts';
import { serveWhole } from '../../text/serve-whole.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { EMBEDDING_WIDTH, type EmbedWish, readBatchRequest, readEmbedRequest } from './embed-request.ts';
import { generativeFault } from './generative-error.ts';

/**
 * Only a whole vector has the length 1, the vendor says, and who wants fewer numbers must see to it; gemini-embedding-2
 * does so itself (Gemini API, "Embeddings").
 */
function embed({ text, dimensions }: EmbedWish, model: string) {
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
  const wishes = batch ? readBatchRequest(body, model) : [readEmbedRequest(body, model)];
  const text = wishes[0]?.text ?? '';
  const call = {
    wire: 'generative-content',
    text,
    fault: (fault: Parameters<typeof generativeFault>[0]) => generativeFault(fault, plainQuestion(model, text)),
    body() {
      const embeddings = wishes.map((wish) => embed(wish, model));
      return batch ? { embeddings } : { embedding: embeddings[0] };
    },
  };
  return serveWhole(vendor, call, reply);
}
