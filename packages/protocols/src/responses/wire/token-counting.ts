import type { TokenCounting } from '../../contracts/text-protocol.ts';
import { asNumber, asObject } from '../../json/values.ts';

/** Fields of `InputTokenCountParams` (openai-node 7.55). */
const COUNTED = ['model', 'input', 'instructions', 'tools', 'tool_choice', 'parallel_tool_calls', 'text', 'reasoning'];

export const tokenCounting: TokenCounting = {
  decodeRequest: ({ personality: _unsupported, ...body }) => body,
  encodeRequest: (body) =>
    Object.fromEntries(COUNTED.filter((field) => body[field] !== undefined).map((field) => [field, body[field]])),
  encodeCount: (tokens) => ({ object: 'response.input_tokens', input_tokens: tokens }),
  decodeCount: (body) => asNumber(asObject(body)?.['input_tokens']),
};
