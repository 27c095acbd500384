import type { TextProtocol } from '../contracts/text-protocol.ts';
import { decodeRequest } from './client/decode-request.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeBreak } from './client/encode-break.ts';
import { encodeRequest } from './upstream/encode-request.ts';
import { encodeResponse } from './client/encode-response.ts';
import { encodeStream } from './client/encode-stream.ts';
import { decodeError, encodeError } from './wire/errors.ts';
import { ErrorSchema, ResponsesTopLevel } from './wire/schema.ts';
import { tokenCounting } from './wire/token-counting.ts';
import { decodeUsage } from './wire/usage.ts';

/** OpenAI responses (openai-node 7.55, `resources/responses`; Open Responses of April 2026). */
export const responsesProtocol: TextProtocol = {
  name: 'responses',
  topLevel: ResponsesTopLevel,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  encodeBreak,
  decodeUsage,
  decodeError,
  encodeError,
  errorSchema: ErrorSchema,
  tokenCounting,
};
