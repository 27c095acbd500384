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
const shared = { credentials, protocol: generativeContentProtocol, method: 'POST', errors: GENERATION_ERRORS } as const;
const body = { content: { 'application/json': GenerateContentSchema }, fileFields: [] };
const countBody = { content: { 'application/json': CountTokensSchema }, fileFields: [] };

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
  alt: z.string().optional().meta({ description: 'Use `sse` for server-sent events.' }),
});

/** @param suffix suffix of the operation ids */
function endpointsUnder(path: string, suffix: string) {
  return defineEndpoints([
    {
      ...shared,
      path,
      verb: 'generateContent',
      operationId: `generateContent${suffix}`,
      summary: 'Generate content',
      action: 'text.generate',
      body,
      responses,
    },
    {
      ...shared,
      path,
      verb: 'streamGenerateContent',
      operationId: `streamGenerateContent${suffix}`,
      summary: 'Stream generated content',
      action: 'text.generate',
      query: StreamQuerySchema,
      body,
      responses: streamResponses,
    },
    {
      ...shared,
      path,
      verb: 'countTokens',
      operationId: `countTokens${suffix}`,
      summary: 'Count the tokens of a request',
      action: 'text.count-tokens',
      body: countBody,
      responses: countResponses,
    },
  ]);
}

/** Endpoints of the generative-content protocol, under the path prefixes of older and newer SDKs. */
export const generativeContentEndpoints = [
  ...endpointsUnder('/v1beta/models/*model', ''),
  ...endpointsUnder('/v1/models/*model', 'V1'),
];
