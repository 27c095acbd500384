import { createHash } from 'node:crypto';
import { accountName } from '@sluice/canonical';
import type { Config } from '@sluice/config';
import { type CredentialSettings, toNanos } from '@sluice/limits';

/**
 * Returns the settings of the credentials whose state the API keeps: those of pools, and the only ones of upstreams
 * that a model chooses by their state.
 */
export function credentialSettings({ upstreams, models }: Pick<Config, 'upstreams' | 'models'>): CredentialSettings[] {
  const observed = new Set(
    models
      .filter(({ policy }) => policy === 'least_busy' || policy === 'fastest')
      .flatMap(({ routes }) => routes.map(({ upstream }) => upstream)),
  );
  return Object.entries(upstreams).flatMap(([upstream, { credentials }]): CredentialSettings[] => {
    if (!credentials) return observed.has(upstream) ? [{ account: upstream, upstream, weight: 1 }] : [];
    return credentials.map(({ name, weight, rpm, tpm, max_in_flight: maxInFlight, budget, ...secret }) => ({
      account: accountName({ upstream, credential: name }),
      upstream,
      name,
      weight,
      secretHash: createHash('sha256').update(JSON.stringify(secret)).digest('base64url').slice(0, 8),
      rpm,
      tpm,
      maxInFlight,
      budget: budget && { nanos: toNanos(budget.usd), period: budget.period },
    }));
  });
}
