import type { TextTarget } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { canReadToken, type TokenCodec } from '../text/token-codec.ts';
import { TOKEN_FIELDS } from './restore-tokens.ts';
import type { TextRequest } from './text-request.ts';

/**
 * Whether a request carries an opaque token that only `target` might be able to read. Either the gateway encoded the
 * token for this account, or the token was relayed earlier in the same protocol and its account is unknown.
 */
export function carriesToken(request: TextRequest, target: TextTarget, tokenCodec: TokenCodec): boolean {
  const fields = TOKEN_FIELDS[request.protocol.name];
  if (!fields.some((field) => request.mentions(field))) return false;
  const isRelayed = request.protocol.name === target.protocol;
  const open: unknown[] = [request.body()];
  while (open.length > 0) {
    const value = open.pop();
    if (Array.isArray(value)) open.push(...value);
    if (!isRecord(value)) continue;
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') open.push(inner);
      if (typeof inner !== 'string' || inner === '' || !fields.includes(key)) continue;
      // Images also use the field `data`.
      if (key === 'data' && value['type'] !== 'redacted_thinking') continue;
      const token = tokenCodec.unwrap(inner);
      if (token === undefined ? isRelayed : canReadToken(token, target)) return true;
    }
  }
  return false;
}
