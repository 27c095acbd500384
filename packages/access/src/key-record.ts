import { z } from 'zod';

const SecretSchema = z.object({
  hash: z.string().min(1),
  /** For people to tell secrets apart. */
  lastFour: z.string(),
});

const KeyRecordSchema = z.object({
  id: z.string().startsWith('key_'),
  /** Owner of everything that is created with the key; never reused. */
  name: z.string().min(1),
  settings: z.record(z.string(), z.unknown()),
  secret: SecretSchema,
  /** Secrets before rotations, newest first; `endsAt` in Unix milliseconds. */
  formerSecrets: z.array(SecretSchema.extend({ endsAt: z.number() })),
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
});

/** A stored key: everything but the secret itself. */
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
