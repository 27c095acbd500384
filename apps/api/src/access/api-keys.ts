import { createHash } from 'node:crypto';
import { type KeyBudget, type KeyConfig, type KeyLimits, matchPattern } from '@sluice/config';

/** A client as its key makes it known. */
export interface ApiKey {
  /** The owner of whatever is made with the key. */
  name: string;
  /** Tells whether the key may use a model. */
  allows(model: string): boolean;
  /** What an upstream cannot carry is refused instead of left out. */
  strict: boolean;
  /** Requests may name files, caches and conversations that lie at a vendor. */
  mayUseVendorReferences: boolean;
  /** What it may use at most; absent: without limits. */
  limits?: KeyLimits | undefined;
  /** What it may spend; absent: without limits. */
  budget?: KeyBudget | undefined;
}

/** Finds the client behind a credential; `undefined` when there is none. */
export type FindApiKey = (credential: string) => ApiKey | undefined;

/** Keeps the configured keys by their hash, so that a look-up takes the same time whatever was sent. */
export function buildApiKeys(keys: readonly KeyConfig[]): FindApiKey {
  const byHash = new Map(keys.map((key) => [sha256(key.key), apiKeyOf(key)]));
  return (credential) => byHash.get(sha256(credential));
}

function apiKeyOf({ name, models, strict, vendor_references, limits, budget }: KeyConfig): ApiKey {
  return { name, allows: allowance(models), strict, mayUseVendorReferences: vendor_references, limits, budget };
}

function allowance(patterns: readonly string[] | undefined): (model: string) => boolean {
  if (!patterns) return () => true;
  return (model) => patterns.some((pattern) => matchPattern(pattern, model) !== undefined);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
