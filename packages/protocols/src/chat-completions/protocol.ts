import type { TextProtocol } from '../contracts/text-protocol.ts';
import { decodeRequest } from './client/decode-request.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeRequest } from './upstream/encode-request.ts';
import { encodeResponse } from './client/encode-response.ts';
import { encodeStream } from './client/encode-stream.ts';
import { decodeError, encodeError } from './wire/errors.ts';
import { ChatErrorSchema, CreateChatCompletionSchema } from './wire/schema.ts';
import { decodeUsage } from './wire/usage.ts';

/** OpenAI chat completions (openai-node 7.55, `resources/chat/completions`) with compatible vendors' extensions. */
export const chatCompletionsProtocol: TextProtocol = {
  name: 'chat-completions',
  topLevel: CreateChatCompletionSchema,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeUsage,
  decodeError,
  encodeError,
  errorSchema: ChatErrorSchema,
};
