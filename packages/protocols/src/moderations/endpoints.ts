import { MODERATED_CALL_ERRORS } from '../errors/call-errors.ts';
import type { DirectProtocol } from '../contracts/direct-protocol.ts';
import { defineEndpoints } from '../contracts/endpoint.ts';
import { encodeOpenAiError, OpenAiErrorSchema } from '../errors/openai-error.ts';
import { decodeModeration } from './request.ts';
import { encodeModeration } from './response.ts';
import { ModerationSchema, ModerationsSchema } from './schema.ts';

export const moderationsProtocol: DirectProtocol<'moderation'> = {
  name: 'moderations',
  decode: decodeModeration,
  encode: encodeModeration,
  encodeError: encodeOpenAiError,
  errorSchema: OpenAiErrorSchema,
};

export const moderationsEndpoints = defineEndpoints([
  {
    method: 'POST',
    path: '/v1/moderations',
    operationId: 'createModeration',
    summary: 'Classify content',
    action: 'moderation.create',
    kind: 'moderation',
    credentials: ['bearer'],
    protocol: moderationsProtocol,
    body: { content: { 'application/json': ModerationsSchema }, fileFields: [] },
    responses: {
      200: { description: 'The result for each input', content: { 'application/json': ModerationSchema } },
    },
    errors: MODERATED_CALL_ERRORS,
  },
]);
