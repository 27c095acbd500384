import type { Config } from '@sluice/config';
import { createCredentials, type Credential, type Credentials, type Rest } from '@sluice/limits';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { credentialSettings } from './credential-settings.ts';

export interface OpenCredentialsOptions {
  config: Config;
  redis: Redis;
  logger: Logger;
  metrics: Pick<Metrics, 'credentialState' | 'credentialInFlight' | 'credentialRests' | 'beforeRender'>;
  /** Unique among the API processes. */
  process: string;
}

/** Creates the state of all credentials. Resolves after the first exchange with the other processes. */
export async function openCredentials(options: OpenCredentialsOptions): Promise<Credentials> {
  const { config, redis, logger, metrics, process } = options;
  const credentials = createCredentials({
    redis,
    prefix: config.redis.prefix,
    process,
    unixNow: Date.now,
    settings: credentialSettings(config),
    refusesOnOutage: config.limits.on_outage === 'refuse',
    onChange: (credential, change) => {
      logChange(logger, credential, change);
      if (change !== 'ready') metrics.credentialRests.inc({ ...labelsOf(credential), reason: change.reason });
    },
    onExchange: (error) => {
      if (error === undefined) logger.info('credential state is exchanged again');
      else logger.warn({ err: error }, 'credential state could not be exchanged; using the last state');
    },
  });
  metrics.beforeRender(() => {
    // Removed credentials have no state.
    metrics.credentialState.reset();
    metrics.credentialInFlight.reset();
    for (const one of credentials.all()) {
      if (one.name === undefined) continue;
      metrics.credentialState.set(labelsOf(one), STATES[one.rest?.reason ?? 'ready']);
      metrics.credentialInFlight.set(labelsOf(one), one.inFlight);
    }
  });
  await credentials.start();
  return credentials;
}

const STATES = { ready: 0, rate_limited: 1, quota: 1, budget: 1, rejected: 2 };

function labelsOf({ upstream, name = '' }: Credential): { upstream: string; credential: string } {
  return { upstream, credential: name };
}

function logChange(logger: Logger, { upstream, name: credential }: Credential, change: Rest | 'ready'): void {
  if (change === 'ready') {
    logger.info({ upstream, credential }, 'credential ready again');
    return;
  }
  const { reason, ms } = change;
  const fields = { upstream, credential, reason, rest_ms: Number.isFinite(ms) ? Math.ceil(ms ?? 0) : undefined };
  if (reason === 'rejected') logger.error(fields, 'credential rejected; replace it in the configuration');
  else if (reason === 'rate_limited') logger.info(fields, 'credential resting');
  else logger.warn(fields, 'credential resting');
}
