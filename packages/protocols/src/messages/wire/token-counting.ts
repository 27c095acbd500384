import type { TokenCounting } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asNumber } from '../../json/values.ts';

/** Fields of `MessageCountTokensParams` (@anthropic-ai/sdk 1.11), except the model. */
const COUNTED_FIELDS = [
  'messages',
  'system',
  'tools',
  'tool_choice',
  'thinking',
  'output_config',
  'cache_control',
] as const;

/** Bodies for token counting have no output limit, but a thinking budget needs one. */
const DEFAULT_MAX_TOKENS = 128_000;

export const tokenCounting: TokenCounting = {
  decodeRequest: ({ stream: _stream, ...body }) => ({ ...body, max_tokens: body['max_tokens'] ?? DEFAULT_MAX_TOKENS }),
  encodeRequest: (body, { model }) => ({
    model,
    ...Object.fromEntries(COUNTED_FIELDS.map((name) => [name, body[name]])),
  }),
  encodeCount: (tokens) => ({ input_tokens: tokens }),
  decodeCount: (body) => {
    const tokens = isRecord(body) ? asNumber(body['input_tokens']) : undefined;
    return tokens !== undefined && tokens >= 0 ? tokens : undefined;
  },
};
