import type { TextProtocol } from '../contracts/text-protocol.ts';
import { decodeRequest } from './decode-request.ts';
import { decodeResponse } from './decode-response.ts';
import { decodeStream } from './decode-stream.ts';
import { encodeRequest } from './encode-request.ts';
import { encodeResponse } from './encode-response.ts';
import { encodeStream } from './encode-stream.ts';
import { decodeError, encodeError } from './errors.ts';
import { ChatErrorSchema, CreateChatCompletionSchema } from './schema.ts';
import { decodeUsage } from './usage.ts';

/** The OpenAI chat completions protocol (openai-node 7.55, `resources/chat/completions`) and what compatible vendors add. */
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
