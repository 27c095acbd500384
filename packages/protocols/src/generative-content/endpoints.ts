import { z } from 'zod';
import { type Credential, defineEndpoints } from '../contracts/endpoint.ts';
import { GENERATION_ERRORS } from '../errors/call-errors.ts';
import {
  CountTokensSchema,
  GenerateContentResponseSchema,
  GenerateContentSchema,
  TokenCountSchema,
} from './wire/schema.ts';
import { generativeContentProtocol } from './protocol.ts';

const credentials: readonly Credential[] = ['x-gen-api-key', 'key-query'];
const shared = { credentials, protocol: generativeContentProtocol, method: 'POST' } as const;
const body = { content: { 'application/json': GenerateContentSchema }, fileFields: [] };
const countBody = { content: { 'application/json': CountTokensSchema }, fileFields: [] };

const errors = GENERATION_ERRORS;

const responses = {
  200: { description: 'The response', content: { 'application/json': GenerateContentResponseSchema } },
};
const streamResponses = {
  200: {
    description: 'The streamed response: server-sent events with `alt=sse`, otherwise one JSON array',
    content: {
      'text/event-stream': GenerateContentResponseSchema,
      'application/json': z.array(GenerateContentResponseSchema),
    },
  },
};
const countResponses = {
  200: { description: 'The number of tokens', content: { 'application/json': TokenCountSchema } },
};
const StreamQuerySchema = z.object({
  alt: z.enum(['sse', 'json']).optional().meta({ description: 'Use `sse` for server-sent events.' }),
});

/** Endpoints of the generative-content protocol, under the prefixes of older and newer SDKs. */
export const generativeContentEndpoints = defineEndpoints([
  {
    ...shared,
    path: '/v1beta/models/*model',
    verb: 'generateContent',
    operationId: 'generateContent',
    summary: 'Generate content',
    action: 'text.generate',
    body,
    responses,
    errors,
  },
  {
    ...shared,
    path: '/v1beta/models/*model',
    verb: 'streamGenerateContent',
    operationId: 'streamGenerateContent',
    summary: 'Stream generated content',
    action: 'text.generate',
    query: StreamQuerySchema,
    body,
    responses: streamResponses,
    errors,
  },
  {
    ...shared,
    path: '/v1beta/models/*model',
    verb: 'countTokens',
    operationId: 'countTokens',
    summary: 'Count the tokens of a request',
    action: 'text.count-tokens',
    body: countBody,
    responses: countResponses,
    errors,
  },
  {
    ...shared,
    path: '/v1/models/*model',
    verb: 'generateContent',
    operationId: 'generateContentV1',
    summary: 'Generate content',
    action: 'text.generate',
    body,
    responses,
    errors,
  },
  {
    ...shared,
    path: '/v1/models/*model',
    verb: 'streamGenerateContent',
    operationId: 'streamGenerateContentV1',
    summary: 'Stream generated content',
    action: 'text.generate',
    query: StreamQuerySchema,
    body,
    responses: streamResponses,
    errors,
  },
  {
    ...shared,
    path: '/v1/models/*model',
    verb: 'countTokens',
    operationId: 'countTokensV1',
    summary: 'Count the tokens of a request',
    action: 'text.count-tokens',
    body: countBody,
    responses: countResponses,
    errors,
  },
]);
