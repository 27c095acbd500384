import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';

export interface CompactionMeta {
  model: string;
  /** Unix seconds. */
  createdAt: number;
}

export interface Compaction {
  summary: string;
  meta: CompactionMeta;
}

/** All compaction tokens start with this: the base64 encoding of `GW2`. */
export const COMPACTION_PREFIX = 'R1cy';
const MAGIC = Buffer.from('GW2');
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/** Returns an opaque token: the standard base64 of `GW2`, a random nonce, the tag, and the AES-256-GCM ciphertext. */
export function encodeCompaction(secret: string, summary: string, meta: CompactionMeta): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv, { authTagLength: TAG_BYTES }).setAAD(MAGIC);
  const text = Buffer.concat([cipher.update(JSON.stringify([summary, meta.model, meta.createdAt])), cipher.final()]);
  return Buffer.concat([MAGIC, iv, cipher.getAuthTag(), text]).toString('base64');
}

/**
 * @returns undefined if another system created the token
 * @throws GatewayError `invalid_encrypted_content` if the token was modified or encrypted with another secret
 */
export function decodeCompaction(secret: string, encryptedContent: string, param?: string): Compaction | undefined {
  if (!encryptedContent.startsWith(COMPACTION_PREFIX)) return undefined;
  const bytes = Buffer.from(encryptedContent, 'base64');
  const ivEnd = MAGIC.length + IV_BYTES;
  const tagEnd = ivEnd + TAG_BYTES;
  try {
    const decipher = createDecipheriv(CIPHER, keyOf(secret), bytes.subarray(MAGIC.length, ivEnd), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(MAGIC)
      .setAuthTag(bytes.subarray(ivEnd, tagEnd));
    const text = Buffer.concat([decipher.update(bytes.subarray(tagEnd)), decipher.final()]);
    // The cast is safe because the authentication tag proves that `encodeCompaction` wrote this.
    const [summary, model, createdAt] = JSON.parse(text.toString()) as [string, string, number];
    return { summary, meta: { model, createdAt } };
  } catch (cause) {
    throw new GatewayError(
      'invalid_encrypted_content',
      'The compaction cannot be decrypted: it was changed, or another gateway created it. Compact the conversation again.',
      { cause, ...(param !== undefined && { param }) },
    );
  }
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice compaction', 32));
}
