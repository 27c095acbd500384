import { z } from 'zod';

const SecretSchema = z.object({
  hash: z.string().min(1),
  /** The last four characters, which let people tell secrets apart. */
  lastFour: z.string(),
});

const KeyRecordSchema = z.object({
  id: z.string().startsWith('key_'),
  /** Owns everything created with the key, so it is never reused. */
  name: z.string().min(1),
  settings: z.record(z.string(), z.unknown()),
  secret: SecretSchema,
  /** Earlier secrets that were rotated, newest first. `endsAt` is in Unix milliseconds. */
  formerSecrets: z.array(SecretSchema.extend({ endsAt: z.number() })),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
});

/** A stored key. It contains everything except the secret itself. */
export type KeyRecord = z.output<typeof KeyRecordSchema>;

export type KeyStatus = 'active' | 'expired' | 'revoked';

export function statusOfKey({ revokedAt, expiresAt }: KeyRecord, now: number): KeyStatus {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

/** @throws Error if the text is not a key record */
export function parseKeyRecord(text: string): KeyRecord {
  return KeyRecordSchema.parse(JSON.parse(text));
}

export function inOrderOfCreation(one: KeyRecord, other: KeyRecord): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt;
  return one.id < other.id ? -1 : 1;
}
