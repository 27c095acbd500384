import type { TokenCounting } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asNumber } from '../../json/values.ts';

/** Fields that the counting endpoint accepts (@anthropic-ai/sdk 1.11, `MessageCountTokensParams`). */
const COUNTED = [
  'model',
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
] as const;

/** Counting bodies have no limit; this one leaves room for any thinking budget. */
const AMPLE_MAX_TOKENS = 128_000;

export const tokenCounting: TokenCounting = {
  decodeRequest: ({ stream: _stream, ...body }) => ({ ...body, max_tokens: body['max_tokens'] ?? AMPLE_MAX_TOKENS }),
  encodeRequest: (body) => Object.fromEntries(COUNTED.flatMap((name) => (name in body ? [[name, body[name]]] : []))),
  encodeCount: (tokens) => ({ input_tokens: tokens }),
  decodeCount: (body) => {
    const tokens = isRecord(body) ? asNumber(body['input_tokens']) : undefined;
    return tokens !== undefined && tokens >= 0 ? tokens : undefined;
  },
};
