import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { GatewayError } from '@sluice/canonical';

/** What a compaction says of itself. */
export interface CompactionMeta {
  /** The id that the client asked for. */
  model: string;
  /** Unix seconds. */
  createdAt: number;
}

/** A conversation in short. */
export interface Compaction {
  summary: string;
  meta: CompactionMeta;
}

/** How every sealed compaction begins: base64 of `GW2`. */
export const COMPACTION_PREFIX = 'R1cy';
const MAGIC = Buffer.from('GW2');
const IV_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

/**
 * Seals a summary so that the client can carry it, but neither read nor change it: standard base64 of `GW2`, a random
 * nonce, the tag, and the AES-256-GCM text. Read by every process with the same secret.
 */
export function encodeCompaction(secret: string, summary: string, meta: CompactionMeta): string {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(CIPHER, keyOf(secret), iv, { authTagLength: TAG_BYTES }).setAAD(MAGIC);
  const text = Buffer.concat([cipher.update(JSON.stringify([summary, meta.model, meta.createdAt])), cipher.final()]);
  return Buffer.concat([MAGIC, iv, cipher.getAuthTag(), text]).toString('base64');
}

/**
 * Opens a sealed compaction.
 * @param param the request field, told in the error
 * @returns undefined when it is none of ours
 * @throws GatewayError `invalid_encrypted_content` when it is ours, but was changed or sealed with another secret
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
    // The tag vouches for the shape: we wrote it.
    const [summary, model, createdAt] = JSON.parse(text.toString()) as [string, string, number];
    return { summary, meta: { model, createdAt } };
  } catch (cause) {
    throw new GatewayError(
      'invalid_encrypted_content',
      'The compaction could not be opened: it was changed, or made by another gateway. Compact the conversation again.',
      { cause, ...(param !== undefined && { param }) },
    );
  }
}

function keyOf(secret: string): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', secret, '', 'sluice compaction', 32));
}
