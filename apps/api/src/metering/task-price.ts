import type { MediaRequest } from '@sluice/canonical';
import type { Price } from '@sluice/prices';
import { requestedUnits, type TaskPrice } from '@sluice/tasks';

/**
 * The price of a task at one of its targets.
 * @param seconds the duration until the upstream reports one
 * @returns undefined if the price is unknown
 */
export function taskPrice(price: Price | undefined, request: MediaRequest, seconds: string): TaskPrice | undefined {
  const units = requestedUnits(request, seconds);
  const rates = price?.mediaRatesOf(
    request.kind === 'image'
      ? { images: { count: units, size: request.size, quality: request.quality } }
      : { video: { seconds: units, resolution: request.resolution ?? request.size, audio: request.audio } },
  );
  if (!price || !rates) return undefined;
  return { taskNanos: rates.taskNanos, unitNanos: rates.unitNanos, source: JSON.stringify(price.source) };
}
