import type { DueCharge, LimitedRequest, Limiter, Usage } from './limiter.ts';

/** How a request was admitted, so that another process can record its usage. */
export interface Admission extends Pick<LimitedRequest, 'id' | 'owner' | 'tokens'> {
  /** Unix milliseconds. Undefined if nothing was reserved. */
  at?: number | undefined;
}

/** The usage of an admitted request. */
export interface RecordedUsage {
  admission: Admission;
  used: Usage;
  /** The ledger entry as JSON. */
  entry?: string | undefined;
}

/**
 * Records usage. A repetition within a minute has no effect.
 * @param due if given, no later repetition has an effect either
 */
export async function sendUsage(
  limiter: Pick<Limiter, 'recordUsage' | 'charge'>,
  { admission, used, entry }: RecordedUsage,
  due?: DueCharge,
): Promise<void> {
  const { at, ...request } = admission;
  await (at === undefined
    ? limiter.charge(request, used, entry, due)
    : limiter.recordUsage(request, at, used, entry, due));
}
