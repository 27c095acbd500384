import { guardStore } from '@sluice/canonical';

/** @throws GatewayError `store_unavailable` for any error that is not a GatewayError */
export function withStoreErrors<T>(work: () => Promise<T>): Promise<T> {
  return guardStore('response store', work);
}
