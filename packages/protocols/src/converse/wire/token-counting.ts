import type { UpstreamTokenCounting } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { tokenCount } from '../../text/token-count.ts';

/** Fields of `ConverseTokensRequest`. */
const COUNTED_FIELDS = ['messages', 'system', 'toolConfig', 'additionalModelRequestFields'] as const;

/** Bedrock's `CountTokens`. */
export const tokenCounting: UpstreamTokenCounting = {
  encodeRequest: (body) => ({
    input: { converse: Object.fromEntries(COUNTED_FIELDS.map((name) => [name, body[name]])) },
  }),
  decodeCount: (body) => (isRecord(body) ? tokenCount(body['inputTokens']) : undefined),
};
