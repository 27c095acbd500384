import { z } from 'zod';

const SecretSchema = z.object({
  /** What `hashSecret` gives of it. */
  hash: z.string().min(1),
  /** Its last four characters, for people to tell it by. */
  lastFour: z.string(),
});

const KeyRecordSchema = z.object({
  /** `key_…`, chosen here. */
  id: z.string().startsWith('key_'),
  /** The owner of what is made with the key; no other key ever has it. */
  name: z.string().min(1),
  /** What the key allows and asks for, as the configuration spells it. */
  settings: z.record(z.string(), z.unknown()),
  secret: SecretSchema,
  /** Secrets before the last rotations, and when each ends (Unix milliseconds); the newest first. */
  formerSecrets: z.array(SecretSchema.extend({ endsAt: z.number() })),
  /** Unix milliseconds, as all times here. */
  createdAt: z.number(),
  expiresAt: z.number().optional(),
  revokedAt: z.number().optional(),
});

/** A key as it is stored: everything but the secret itself. */
export type KeyRecord = z.output<typeof KeyRecordSchema>;

/** Whether a key can be used, and why not. */
export type KeyStatus = 'active' | 'expired' | 'revoked';

/** Tells a key's status at a time. */
export function statusOfKey({ revokedAt, expiresAt }: KeyRecord, now: number): KeyStatus {
  if (revokedAt !== undefined) return 'revoked';
  return expiresAt !== undefined && expiresAt <= now ? 'expired' : 'active';
}

/**
 * Reads a record.
 * @throws when the text is none
 */
export function parseKeyRecord(text: string): KeyRecord {
  return KeyRecordSchema.parse(JSON.parse(text));
}

/** Puts records in the order in which they were made. */
export function inOrderOfCreation(one: KeyRecord, other: KeyRecord): number {
  if (one.createdAt !== other.createdAt) return one.createdAt - other.createdAt;
  return one.id < other.id ? -1 : 1;
}
