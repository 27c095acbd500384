import { GatewayError, guardStore } from '@sluice/canonical';

export function groupNotFound(): GatewayError {
  return new GatewayError('batch_not_found', 'The group does not exist, or it was deleted. List the groups.');
}

export function groupConflict(problem: string): GatewayError {
  return new GatewayError('batch_conflict', problem);
}

export function tooManyGroups(perOwner: number): GatewayError {
  return new GatewayError(
    'rate_limited',
    `Group limit reached: this API key allows ${perOwner} unfinished groups. Wait until one ends, or cancel one.`,
    { retryAfterMs: 60_000 },
  );
}

export function quotaReached(ownerBytes: number): GatewayError {
  const limit = `the requests in all groups of this API key may have ${ownerBytes.toLocaleString('en-US')} bytes`;
  return new GatewayError(
    'storage_quota_exceeded',
    `Group storage limit reached: ${limit}. Delete groups that have ended.`,
  );
}

/** @throws GatewayError `store_unavailable` for every Redis or connection error */
export function guarded<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('group store', work);
}
