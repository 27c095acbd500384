import { createHmac, timingSafeEqual } from 'node:crypto';
import type { OpaqueToken, TextProtocolName, TextTarget } from '@sluice/canonical';

/**
 * Wraps what only a vendor can read, so that it survives a trip through a client of another protocol: standard base64
 * that begins with {@link TOKEN_PREFIX} and therefore fits every field that carries such values, Gemini's bytes included.
 */
export interface TokenCodec {
  wrap(seal: OpaqueToken): string;
  /** Reads a wrapped seal. Undefined when it is none of ours, or was changed on its way. */
  unwrap(text: string): OpaqueToken | undefined;
}

/** How every wrapped seal begins: base64 of `GW1`. */
export const TOKEN_PREFIX = 'R1cx';
const MAGIC = Buffer.from('GW1');
const MAC_BYTES = 12;

/** Makes a sealer; wrapped seals are understood wherever the same secret is. */
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
      // The signature vouches for the shape: we wrote it.
      const [protocol, account, model, value] = JSON.parse(payload.toString()) as [
        TextProtocolName,
        string | null,
        string | null,
        string,
      ];
      return { protocol, value, ...(account !== null && { account }), ...(model !== null && { model }) };
    },
  };
}

/** A seal as a client of `protocol` sent it: one that we wrapped, or its own vendor's. */
export function readToken(tokenCodec: TokenCodec, protocol: TextProtocolName, value: string): OpaqueToken {
  return tokenCodec.unwrap(value) ?? { protocol, value };
}

/**
 * Whether a target can read a seal: the same account made it, with a model of the same family. A seal that a client sent
 * as its own vendor made it has no account: it is of use when equal ends are relayed alone.
 */
export function tokenFits(seal: OpaqueToken | undefined, target: TextTarget): seal is OpaqueToken {
  if (seal === undefined || seal.protocol !== target.protocol || seal.account !== target.account) return false;
  return seal.model === undefined || modelFamily(seal.model) === modelFamily(target.model);
}

/** `claude-sonnet-4-5` → `claude`, `gpt-5-mini` → `gpt`. */
function modelFamily(model: string): string {
  return /^[a-z]*/i.exec(model)?.[0].toLowerCase() ?? '';
}
