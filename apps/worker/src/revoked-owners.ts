import { randomBytes } from 'node:crypto';
import { createKeyStore, type KeyStoreOptions } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';

/** Tells whether the key that an owner is named for has been revoked. @throws GatewayError `store_unavailable` */
export type IsRevoked = (ownerId: string) => Promise<boolean>;

/**
 * Makes an {@link IsRevoked} of the keys that are stored. Names are never given twice, so one that is revoked stays so,
 * unless the configuration has it: then it is the configuration's. Who has no stored key is not revoked.
 */
export function revokedOwners({
  configured,
  ...store
}: Pick<KeyStoreOptions, 'redis' | 'prefix' | 'logger'> & { configured: ReadonlySet<string> }): IsRevoked {
  const keys = createKeyStore({
    ...store,
    takenNames: configured,
    // Nothing is changed here.
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
