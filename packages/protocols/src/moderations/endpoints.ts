import { PARAMS_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { decodeModeration } from './request.ts';
import { encodeModeration } from './response.ts';
import { ModerationSchema, ModerationsSchema } from './schema.ts';

/** OpenAI's moderations. */
export const moderationsProtocol: DirectProtocol<'moderation'> = {
  name: 'moderations',
  decode: decodeModeration,
  encode: encodeModeration,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

/** The route of the moderations protocol. */
export const moderationsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/moderations',
    operationId: 'createModeration',
    summary: 'Classify contents',
    action: 'moderation.create',
    kind: 'moderation',
    credentials: ['bearer'],
    protocol: moderationsProtocol,
    body: { content: { 'application/json': ModerationsSchema }, fileFields: [] },
    responses: {
      200: { description: 'What was found in each content', content: { 'application/json': ModerationSchema } },
    },
    errors: PARAMS_ERRORS,
  },
]);
