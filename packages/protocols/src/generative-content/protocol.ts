import type { TextProtocol } from '../contracts/text-protocol.ts';
import { decodeError } from './upstream/decode-error.ts';
import { decodeRequest } from './client/decode-request.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeRequest } from './upstream/encode-request.ts';
import { encodeResponse } from './client/encode-response.ts';
import { encodeStream } from './client/encode-stream.ts';
import { encodeError } from './client/encode-error.ts';
import { ErrorSchema, GenerateContentSchema } from './wire/schema.ts';
import { tokenCounting } from './wire/token-counting.ts';
import { decodeUsage } from './wire/usage.ts';

/** Gemini's `generateContent` (@google/genai 3.1). The path contains the model and selects streaming. */
export const generativeContentProtocol: TextProtocol = {
  name: 'generative-content',
  topLevel: GenerateContentSchema,
  decodeRequest,
  encodeRequest,
  decodeResponse,
  encodeResponse,
  decodeStream,
  encodeStream,
  decodeUsage,
  decodeError,
  encodeError,
  errorSchema: ErrorSchema,
  tokenCounting,
};
