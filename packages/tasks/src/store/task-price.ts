import type { MediaRequest } from '@sluice/canonical';

/** The price of a task at one of its targets, in nano-dollars. It is fixed when the task is admitted. */
export interface TaskPrice {
  taskNanos: number;
  /** Price per image, or per second of video. */
  unitNanos: number;
  /** Where the price comes from, as JSON for the ledger. */
  source: string;
}

/**
 * Returns the number of images, or the seconds of video to bill. Vendors bill full seconds, with a minimum of one.
 * @param seconds the duration until the upstream reports one
 */
export function requestedUnits({ kind, n = 1 }: { kind: MediaRequest['kind']; n?: number }, seconds: string): number {
  return kind === 'image' ? n : Math.max(1, Math.ceil(Number(seconds)));
}

/** The cost of all requested images, or of the requested duration. */
export function requestedNanos({ taskNanos, unitNanos }: TaskPrice, units: number): number {
  return taskNanos + units * unitNanos;
}

/** The record's fields for the price at the current target. They are empty if the price is unknown. */
export function priceFields(price: TaskPrice | undefined) {
  return { taskNanos: price?.taskNanos ?? '', unitNanos: price?.unitNanos ?? '', priceSource: price?.source ?? '' };
}
