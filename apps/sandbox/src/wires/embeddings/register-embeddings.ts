import type { FastifyInstance } from 'fastify';
import { base64OfFloats, embedText, unitVector } from '../../text/embed-text.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextFault } from '../../text/text-faults.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { formatOpenAiFault } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { readEmbeddingsRequest, tooManyTokens } from './embeddings-request.ts';

const NAME = 'embeddings';

function embeddingsResponse(params: ReturnType<typeof readEmbeddingsRequest>) {
  const { model, inputs, dimensions, base64, tokens } = params;
  const data = inputs.map((input, index) => {
    const vector = unitVector(embedText(input, dimensions));
    return { object: 'embedding', index, embedding: base64 ? base64OfFloats(vector) : vector };
  });
  return { object: 'list', data, model, usage: { prompt_tokens: tokens, total_tokens: tokens } };
}

export function registerEmbeddings(scope: FastifyInstance, vendor: TextVendor): void {
  registerOpenAiWire(scope, vendor, NAME);

  scope.post('/embeddings', (request, reply) => {
    const params = readEmbeddingsRequest(request.body);
    const text = params.inputs.find((input) => typeof input === 'string') ?? '';
    const fault = (kind: TextFault) =>
      kind === 'context'
        ? tooManyTokens(params.tokens + 8192)
        : formatOpenAiFault(kind, plainRequest(params.model, text), 'input');
    return serveBuffered(vendor, { wire: NAME, text, fault, body: () => embeddingsResponse(params) }, reply);
  });
}
