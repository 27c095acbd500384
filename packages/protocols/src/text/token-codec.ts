import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpaqueToken, TextProtocolName, TextTarget } from '@sluice/canonical';

/** Encodes opaque tokens for clients of another protocol, as base64, which every such field accepts. */
export interface TokenCodec {
  wrap(opaqueToken: OpaqueToken): string;
  /** @returns undefined for a foreign or a changed token */
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
      // The signature guarantees the shape.
      const [protocol, account, model, value] = JSON.parse(payload.toString()) as [
        TextProtocolName,
        string | null,
        string | null,
        string,
      ];
      return { protocol, value, account: account ?? undefined, model: model ?? undefined };
    },
  };
}

/** A client's token: one that the gateway encoded, or one of its vendor. */
export function readToken(tokenCodec: TokenCodec, protocol: TextProtocolName, value: string): OpaqueToken {
  return tokenCodec.unwrap(value) ?? { protocol, value };
}

/**
 * A target reads tokens of its own account and model family. A vendor's token that a client sent itself has no account, so
 * only a relay can use it.
 */
export function canReadToken(opaqueToken: OpaqueToken | undefined, target: TextTarget): opaqueToken is OpaqueToken {
  if (opaqueToken?.protocol !== target.protocol || opaqueToken.account !== target.account) return false;
  return opaqueToken.model === undefined || modelFamily(opaqueToken.model) === modelFamily(target.model);
}

/** `claude-sonnet-4-5` → `claude`. */
function modelFamily(model: string): string {
  return /^[a-z]*/i.exec(model)?.[0].toLowerCase() ?? '';
}
