import type { FastifyInstance } from 'fastify';
import { openTextScope } from '../../text/open-text-scope.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { checkGoogleKey, generativeError } from '../google-style/google-error.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { createModelCalls, GENERATIVE_WIRE, type ModelCall, pathOf, splitCall } from './model-calls.ts';
import { serveEmbeddings } from './serve-embeddings.ts';

export function registerGenerativeContent(scope: FastifyInstance, vendor: TextVendor, media: MediaVendor): void {
  const { generate, count } = createModelCalls(vendor, media);
  openTextScope(scope, vendor, {
    name: GENERATIVE_WIRE.name,
    requestIdHeader: 'x-request-id',
    authenticate: (request) => checkGoogleKey(request, vendor.apiKey),
    modelOf: (request) => splitCall(pathOf(request)).model,
    formatHttpError: (status, message) => generativeError(status, message),
  });

  scope.post<ModelCall>('/models/*', (request, reply) => {
    const { model, verb } = splitCall(request.params['*']);
    switch (verb) {
      case 'generateContent':
        return generate(request, reply, model, false);
      case 'streamGenerateContent':
        return generate(request, reply, model, true);
      case 'countTokens':
        return reply.send(count(request.body, model));
      case 'embedContent':
      case 'batchEmbedContents':
        return serveEmbeddings(vendor, request, reply, { model, batch: verb === 'batchEmbedContents' });
      default:
        throw generativeError(404, `Method not found: ${request.method} ${request.url.split('?')[0]}`);
    }
  });
}
