import { hashSecret } from '@sluice/access';
import type { VendorLine } from '@sluice/batches';
import { type KeyBudget, type KeyConfig, type KeyLimits, type KeySettings, matchPattern } from '@sluice/config';
import type { StoredLine } from './stored-line.ts';
import type { StoredRun } from './stored-run.ts';

export interface ApiKey {
  /** The owner of every resource created with the key. */
  name: string;
  allows(model: string): boolean;
  isBoundToModels: boolean;
  /** If true, a request with parameters that the upstream does not support is rejected. Otherwise they are dropped. */
  strict: boolean;
  /** If true, requests can reference files, caches, and conversations stored at a vendor. */
  mayUseVendorReferences: boolean;
  limits?: KeyLimits | undefined;
  budget?: KeyBudget | undefined;
  /** Labels of the key's requests and tasks in the usage ledger. */
  labels?: Readonly<Record<string, string>> | undefined;
  /** Set only for the internal request of a worker that runs a background response. */
  run?: StoredRun | undefined;
  /** Set only for the internal request of a batch line. */
  line?: StoredLine | undefined;
  /** Set only for the internal request of a worker that has a batch run by its vendor. */
  vendorLine?: VendorLine | undefined;
}

/** @param hash hash of a credential */
export type FindApiKey = (hash: string) => ApiKey | undefined;

/** @param findStored finds a key created at run time by the hash of its credential */
export function buildApiKeys(
  keys: readonly KeyConfig[],
  findStored: (hash: string) => ApiKey | undefined = () => undefined,
): FindApiKey {
  const byHash = new Map(keys.map((key) => [hashSecret(key.key), apiKeyOf(key)]));
  return (hash) => byHash.get(hash) ?? findStored(hash);
}

export function apiKeyOf(key: KeySettings & { name: string }): ApiKey {
  const { name, models, strict, vendor_references, limits, budget, labels } = key;
  return {
    name,
    allows: allowance(models),
    isBoundToModels: models !== undefined,
    strict,
    mayUseVendorReferences: vendor_references,
    limits,
    budget,
    labels,
  };
}

/** Returns a key that may use every model and has no limits. */
export function keyWithoutLimits(name: string): ApiKey {
  return apiKeyOf({ name, strict: false, vendor_references: false });
}

function allowance(patterns: readonly string[] | undefined): (model: string) => boolean {
  if (!patterns) return () => true;
  return (model) => patterns.some((pattern) => matchPattern(pattern, model) !== undefined);
}
