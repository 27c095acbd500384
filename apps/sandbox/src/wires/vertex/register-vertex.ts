import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { openTextScope } from '../../text/open-text-scope.ts';
import type { TextVendor } from '../../text/text-vendor.ts';
import { createModelCalls, type ModelCall, pathOf, splitCall } from '../generative-content/model-calls.ts';
import { generativeError, invalidArgument } from '../google-style/google-error.ts';
import { GenerateRequest } from '../google-style/generative-request.ts';
import { readBody } from '../google-style/proto-message.ts';
import type { MediaVendor } from '../media/media-vendor.ts';
import { checkVertexCredential } from './access-token.ts';
import { serveClaude } from './serve-claude.ts';
import { servePredictions } from './serve-predictions.ts';

const { contents, systemInstruction, tools, generationConfig } = GenerateRequest;
const CountRequest = { contents, systemInstruction, tools, generationConfig } as typeof GenerateRequest;

/** Unlike Gemini's API, Vertex AI requires a role. */
function checkRoles(body: unknown): void {
  const sent: unknown = Object(body).contents;
  for (const content of Array.isArray(sent) ? sent : []) {
    const { role } = Object(content);
    if (role !== 'user' && role !== 'model') throw invalidArgument('Please use a valid role: user, model.');
  }
}

/**
 * Serves Vertex AI, with Google's and Anthropic's models. Paths with a project need an access token. Paths without one
 * (express mode) need the API key.
 */
export function registerVertex(scope: FastifyInstance, vendor: TextVendor, media: MediaVendor): void {
  const { generate, count } = createModelCalls(vendor, media);
  openTextScope(scope, vendor, {
    name: 'vertex',
    requestIdHeader: 'x-request-id',
    authenticate: (request) => checkVertexCredential(request, vendor),
    modelOf: (request) => splitCall(pathOf(request)).model,
    formatHttpError: (status, message) => generativeError(status, message),
  });

  function google(request: FastifyRequest<ModelCall>, reply: FastifyReply) {
    const { model, verb } = splitCall(request.params['*']);
    switch (verb) {
      case 'generateContent':
      case 'streamGenerateContent':
        checkRoles(request.body);
        return generate(request, reply, model, verb === 'streamGenerateContent');
      case 'countTokens':
        readBody(CountRequest, request.body);
        checkRoles(request.body);
        return reply.send(count({ generateContentRequest: request.body }, model));
      case 'predict':
      case 'embedContent':
        return servePredictions(vendor, request, reply, { model, verb });
      default:
        throw unknownCall(request);
    }
  }

  scope.post<ModelCall>('/projects/:project/locations/:location/publishers/google/models/*', google);
  scope.post<ModelCall>('/publishers/google/models/*', google);

  scope.post<ModelCall>('/projects/:project/locations/:location/publishers/anthropic/models/*', (request, reply) => {
    const { model, verb } = splitCall(request.params['*']);
    if (verb !== 'rawPredict' && verb !== 'streamRawPredict') throw unknownCall(request);
    return serveClaude(vendor, request, reply, { model, stream: verb === 'streamRawPredict' });
  });
}

function unknownCall({ method, url }: FastifyRequest) {
  return generativeError(404, `Method not found: ${method} ${url.split('?')[0]}`);
}
