import type { FastifyInstance } from 'fastify';
import { base64OfFloats } from '../../text/base64-of-floats.ts';
import { embedText, unitVector } from '../../text/embed-text.ts';
import { plainRequest } from '../../text/text-request.ts';
import { serveBuffered } from '../../text/serve-buffered.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { formatOpenAiFault } from '../openai-style/format-openai-fault.ts';
import { registerOpenAiWire } from '../openai-style/register-openai-wire.ts';
import { type EmbeddingsRequest, readEmbeddingsRequest, tooManyTokens } from './embeddings-request.ts';

const NAME = 'embeddings';

function embeddingsResponse({ model, inputs, dimensions, base64, tokens }: EmbeddingsRequest) {
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
    return serveBuffered(
      vendor,
      {
        wire: NAME,
        text,
        fault: (fault) =>
          fault === 'context'
            ? tooManyTokens(params.tokens + 8192)
            : formatOpenAiFault(fault, plainRequest(params.model, text), 'input'),
        body: () => embeddingsResponse(params),
      },
      reply,
    );
  });
}
