import type { OpaqueToken, TextProtocolName } from '@sluice/canonical';
import { createTokenCodec, TOKEN_PREFIX } from '../src/index.ts';

/** The token codec for all golden files. */
export const TEST_TOKEN_CODEC = createTokenCodec('the secret of the golden files');

const WRAPPED = new RegExp(`${TOKEN_PREFIX}[A-Za-z0-9+/]*={0,2}`, 'g');
const READABLE = /^issued by (\S*) (\S*) (\S*): ([^]*)$/;

/** Formats a token as readable text (e.g. `issued by messages acc claude-sonnet-4-5: VALUE`) instead of base64. */
function readable({ protocol, account = '-', model = '-', value }: OpaqueToken): string {
  return `issued by ${protocol} ${account} ${model}: ${value}`;
}

/** Replaces opaque tokens in a JSON text with readable text. */
export function showTokens(json: string): string {
  return json.replaceAll(WRAPPED, (wrapped) => {
    const opaqueToken = TEST_TOKEN_CODEC.unwrap(wrapped);
    return opaqueToken ? JSON.stringify(readable(opaqueToken)).slice(1, -1) : wrapped;
  });
}

/** Wraps the readable opaque tokens inside a value. */
export function wrapTokens(value: unknown): unknown {
  if (typeof value === 'string') return wrapText(value);
  if (Array.isArray(value)) return value.map(wrapTokens);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, wrapTokens(inner)]));
}

function wrapText(text: string): string {
  const [, protocol, account, model, value] = READABLE.exec(text) ?? [];
  if (protocol === undefined || value === undefined) return text;
  return TEST_TOKEN_CODEC.wrap({
    protocol: protocol as TextProtocolName, // The cast is safe because the golden file is written by hand.
    value,
    ...(account !== '-' && account !== undefined && { account }),
    ...(model !== '-' && model !== undefined && { model }),
  });
}
