import { randomBytes } from 'node:crypto';
import { createKeyStore, type KeyStoreOptions } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';

/** Whether an owner's key is revoked. @throws GatewayError `store_unavailable` */
export type IsRevoked = (ownerId: string) => Promise<boolean>;

/**
 * Builds an {@link IsRevoked} check that reads the stored keys. Names are never reused, so a revoked name stays revoked
 * unless the configuration contains a key with that name. An owner without a stored key is not revoked.
 */
export function revokedOwners({
  configured,
  ...store
}: Pick<KeyStoreOptions, 'redis' | 'prefix' | 'logger'> & { configured: ReadonlySet<string> }): IsRevoked {
  const keys = createKeyStore({
    ...store,
    takenNames: configured,
    parseSettings: (settings) => settings,
    now: Date.now,
    randomBytes,
  });
  return async (ownerId) => {
    if (configured.has(ownerId)) return false;
    try {
      return (await keys.retrieve(ownerId)).revokedAt !== undefined;
    } catch (error) {
      if (error instanceof GatewayError && error.code === 'not_found') return false;
      throw error;
    }
  };
}
