import { type Config, type ModelCatalog, modelCatalog } from '@sluice/config';
import { createPriceBook, type PriceBook } from '@sluice/prices';
import type { Upstreams } from '@sluice/upstreams';
import { buildApiKeys, type FindApiKey } from '../auth/api-keys.ts';
import { authenticate, type CallerOf } from '../auth/authenticate.ts';
import type { EndpointHandlers } from '../auth/client-call.ts';
import { createCharges } from '../metering/charges.ts';
import { credentialSettings } from '../routing/pools/credential-settings.ts';
import { buildHandlers } from './build-handlers.ts';
import type { Services } from './create-services.ts';

/**
 * The parts that serve requests under one version of the configuration. A request keeps the version with which it began, so its
 * stream, its fallbacks, and its price do not change when the configuration is reloaded.
 */
export interface Serving {
  config: Config;
  upstreams: Upstreams;
  catalog: ModelCatalog;
  prices: PriceBook;
  findApiKey: FindApiKey;
  callerOf: CallerOf;
  handlers: EndpointHandlers;
}

/** The version in force. Replacing `current` is the whole swap: each request reads it once. */
export class LiveServing {
  #current: Serving | undefined;

  get current(): Serving {
    if (!this.#current) throw new Error('the API is not built yet');
    return this.#current;
  }

  set current(next: Serving) {
    this.#current = next;
  }
}

/**
 * Has no effect on the version in force, so a failure changes nothing.
 * @param findApiKey by default, finds the keys of the configuration and of the store
 */
export function buildServing(
  services: Services,
  config: Config,
  upstreams: Upstreams,
  findApiKey: FindApiKey = buildApiKeys(config.keys, services.storedKeys.find),
): Serving {
  const callerOf: CallerOf = (request, other) => authenticate(request, findApiKey, other);
  const prices = createPriceBook(config);
  const catalog = modelCatalog(config);
  const charges = createCharges({ ...services, prices, onOutage: config.limits.on_outage });
  const handlers = buildHandlers({ ...services, config, upstreams, catalog, prices, callerOf, charges });
  return { config, upstreams, catalog, prices, findApiKey, callerOf, handlers };
}

/** Puts a version into force when its new credentials have their parts of the limits. @param changed names of upstreams */
export async function replaceServing(
  live: LiveServing,
  services: Services,
  next: Serving,
  changed: readonly string[],
): Promise<void> {
  const credentials = credentialSettings(next.config);
  await services.credentials.prepare(credentials);
  services.setConfiguredKeys(next.config.keys);
  services.credentials.configure(credentials);
  services.routing.reset(changed);
  live.current = next;
}
