import type { Admission, RecordedUsage } from '@sluice/limits';

/** A background response that a worker runs. Its request was checked and admitted when the client sent it. */
export interface StoredRun {
  responseId: string;
  /** Unix seconds. */
  createdAt: number;
  /** How the request was admitted. Its usage replaces this reservation. Undefined for a key without limits. */
  admission?: Admission | undefined;
  /**
   * The request's usage will be reported to {@link onUsage}.
   * @param endNow reports it at once, as if the client had disconnected
   */
  onReserved(endNow: () => void): void;
  /**
   * Called once, after the end of a request that was reserved. The caller records the usage.
   * @param usage undefined if there is nothing to record
   * @param count counts the usage in metrics, and towards the budget of the credential. If undefined, it was counted
   */
  onUsage(usage: RecordedUsage | undefined, count: (() => void) | undefined): void;
}
