import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpaqueToken, UpstreamProtocolName, TextTarget } from '@sluice/canonical';

/** Encodes opaque tokens for clients of another protocol. The result is base64, which every token field accepts. */
export interface TokenCodec {
  wrap(opaqueToken: OpaqueToken): string;
  /** @returns undefined for a token that the gateway did not create or that was modified */
  unwrap(text: string): OpaqueToken | undefined;
}

/** Prefix of every encoded token: base64 of `GW1`. */
export const TOKEN_PREFIX = 'R1cx';
const MAGIC = Buffer.from('GW1');
const MAC_BYTES = 12;

export function createTokenCodec(secret: string): TokenCodec {
  const mac = (payload: Uint8Array) =>
    createHmac('sha256', secret).update('seal').update(payload).digest().subarray(0, MAC_BYTES);
  return {
    wrap: ({ protocol, account, model, value }) => {
      const payload = Buffer.from(JSON.stringify([protocol, account ?? null, model ?? null, value]));
      return Buffer.concat([MAGIC, mac(payload), payload]).toString('base64');
    },
    unwrap: (text) => {
      if (!text.startsWith(TOKEN_PREFIX)) return undefined;
      const bytes = Buffer.from(text, 'base64');
      const payload = bytes.subarray(MAGIC.length + MAC_BYTES);
      const sent = bytes.subarray(MAGIC.length, MAGIC.length + MAC_BYTES);
      if (sent.length !== MAC_BYTES || !timingSafeEqual(sent, mac(payload))) return undefined;
      // The signature guarantees this type.
      const [protocol, account, model, value] = JSON.parse(payload.toString()) as [
        UpstreamProtocolName,
        string | null,
        string | null,
        string,
      ];
      return { protocol, value, account: account ?? undefined, model: model ?? undefined };
    },
  };
}

export function hasTokenPrefix(value: unknown): boolean {
  return typeof value === 'string' && value.startsWith(TOKEN_PREFIX);
}

/** Reads a token from a client, which either the gateway or the protocol's vendor created. */
export function readToken(tokenCodec: TokenCodec, protocol: UpstreamProtocolName, value: string): OpaqueToken {
  return tokenCodec.unwrap(value) ?? { protocol, value };
}

/**
 * Whether the target can read a token, which requires the same account and model family. A vendor's token that a client
 * sent directly has no account, so it can only be relayed.
 */
export function canReadToken(opaqueToken: OpaqueToken | undefined, target: TextTarget): opaqueToken is OpaqueToken {
  if (opaqueToken?.protocol !== target.protocol || opaqueToken.account !== target.account) return false;
  return opaqueToken.model === undefined || modelFamily(opaqueToken.model) === modelFamily(target.model);
}

/** Returns the family of a model (e.g. `claude` for `claude-sonnet-4-5`). */
function modelFamily(model: string): string {
  return /^[a-z]*/i.exec(model)?.[0].toLowerCase() ?? '';
}
