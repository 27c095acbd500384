import type { KeyConfig } from '@sluice/config';
import { type ApiKey, apiKeyOf } from './api-keys.ts';
import { consoleKey } from './console-caller.ts';
import { isConsoleOwner } from './console-owner.ts';
import type { StoredApiKeys } from './stored-api-keys.ts';

/**
 * Finds the API key of a stored request, which has no credential.
 * @param name name of the API key, or the result of `consoleOwner`
 * @throws GatewayError `store_unavailable` for an unknown name if the stored keys have never been read
 */
export function findOwner(
  name: string,
  configured: readonly KeyConfig[],
  stored: Pick<StoredApiKeys, 'findByName'>,
): ApiKey | undefined {
  const key = configured.find((one) => one.name === name);
  if (key) return apiKeyOf(key);
  return stored.findByName(name) ?? (isConsoleOwner(name) ? consoleKey(name) : undefined);
}
