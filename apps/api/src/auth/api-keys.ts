import { hashSecret } from '@sluice/access';
import { type KeyBudget, type KeyConfig, type KeyLimits, type KeySettings, matchPattern } from '@sluice/config';

/** A client as its key makes it known. */
export interface ApiKey {
  /** The owner of whatever is made with the key. */
  name: string;
  /** Tells whether the key may use a model. */
  allows(model: string): boolean;
  /** Whether it may use some models only. */
  isBoundToModels: boolean;
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

/**
 * Keeps the configured keys by their hash, so that a look-up takes the same time whatever was sent.
 * @param findStored finds a key that was made at run time, by what `hashSecret` gives of the credential
 */
export function buildApiKeys(
  keys: readonly KeyConfig[],
  findStored: (hash: string) => ApiKey | undefined = () => undefined,
): FindApiKey {
  const byHash = new Map(keys.map((key) => [hashSecret(key.key), apiKeyOf(key)]));
  return (credential) => {
    const hash = hashSecret(credential);
    return byHash.get(hash) ?? findStored(hash);
  };
}

/** What a key's settings come to, wherever they stand. */
export function apiKeyOf(key: KeySettings & { name: string }): ApiKey {
  const { name, models, strict, vendor_references, limits, budget } = key;
  return {
    name,
    allows: allowance(models),
    isBoundToModels: models !== undefined,
    strict,
    mayUseVendorReferences: vendor_references,
    limits,
    budget,
  };
}

function allowance(patterns: readonly string[] | undefined): (model: string) => boolean {
  if (!patterns) return () => true;
  return (model) => patterns.some((pattern) => matchPattern(pattern, model) !== undefined);
}
