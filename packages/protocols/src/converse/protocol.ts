import type { UpstreamProtocol } from '../contracts/text-protocol.ts';
import { decodeError } from './wire/decode-error.ts';
import { tokenCounting } from './wire/token-counting.ts';
import { decodeResponse } from './upstream/decode-response.ts';
import { decodeStream } from './upstream/decode-stream.ts';
import { encodeRequest } from './upstream/encode-request.ts';

/**
 * Bedrock's Converse API (@aws-sdk/client-bedrock-runtime 3.1164, `ConverseRequest` and `ConverseStreamOutput`). The
 * model is in the path. The upstream kind converts the binary event stream to server-sent events: `event` is the event
 * type, and `data` is its JSON.
 */
export const converseProtocol: UpstreamProtocol = {
  name: 'converse',
  encodeRequest,
  decodeResponse,
  decodeStream,
  decodeError,
  tokenCounting,
};
