import { type KeyRecord, showKey, type ShownKey } from '@sluice/access';
import { GatewayError, unavailableMessage } from '@sluice/canonical';
import { KeyBudgetSchema, type KeyConfig, type ModelCatalog } from '@sluice/config';
import { type Limiter, withSpending } from '@sluice/limits';
import { type ConfiguredKey, showConfiguredKey } from './key-response.ts';
import type { StoredApiKeys } from './stored-api-keys.ts';

export interface ShowKeysDeps {
  configuredKeys: readonly KeyConfig[];
  catalog: Pick<ModelCatalog, 'find'>;
  /** Keys created at run time. */
  storedKeys: StoredApiKeys;
  limiter: Pick<Limiter, 'spending'>;
  /** Unix milliseconds. */
  now: () => number;
}

/** Returns a function that shows stored keys without their secrets. */
export function shownIn({ configuredKeys, catalog, now }: ShowKeysDeps): (record: KeyRecord) => ShownKey {
  const configuredNames = configuredKeys.map(({ name }) => name);
  const hasModel = (id: string): boolean => catalog.find(id) !== undefined;
  const options = { now: now(), configuredNames, hasModel };
  return (record) => showKey(record, options);
}

/**
 * Retrieves a key with its spending.
 * @throws GatewayError `not_found`, `store_unavailable`
 */
export async function retrieveKey(deps: ShowKeysDeps, idOrName: string) {
  const configured = deps.configuredKeys.find(({ name }) => name === idOrName);
  const key = configured
    ? showConfiguredKey(configured)
    : shownIn(deps)(await deps.storedKeys.store.retrieve(idOrName));
  return reportSpending(deps, key);
}

/** @throws GatewayError `store_unavailable` */
export async function reportSpending({ limiter }: Pick<ShowKeysDeps, 'limiter'>, key: ShownKey | ConfiguredKey) {
  try {
    return await withSpending(limiter, key, KeyBudgetSchema.safeParse(key.budget).data);
  } catch (error) {
    throw new GatewayError('store_unavailable', unavailableMessage('limit store'), {
      retryAfterMs: 1_000,
      cause: error,
    });
  }
}
