import type { TextProtocol } from '../contracts/text-protocol.ts';
import { decodeRequest } from './client/decode-request.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeRequest } from './upstream/encode-request.ts';
import { encodeResponse } from './client/encode-response.ts';
import { encodeStream } from './client/encode-stream.ts';
import { filterBetas } from './filter-betas.ts';
import { decodeError, encodeError } from './wire/errors.ts';
import { CreateMessageSchema, MessagesErrorSchema } from './wire/schema.ts';
import { tokenCounting } from './wire/token-counting.ts';
import { decodeUsage } from './wire/usage.ts';

/** Anthropic's messages protocol (@anthropic-ai/sdk 1.11, `resources/messages`). */
export const messagesProtocol: TextProtocol = {
  name: 'messages',
  topLevel: CreateMessageSchema,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeUsage,
  decodeError,
  encodeError,
  errorSchema: MessagesErrorSchema,
  tokenCounting,
  filterHeaders: filterBetas,
};
