import type { Usage } from '@sluice/canonical';

/** Receives the end of the internal request of a batch line. */
export interface StoredLine {
  /** Called before {@link onCharge}. @param costNanos undefined if the price is unknown, or nothing was used */
  onPriced(costNanos: number | undefined, isUsed: boolean): void;
  /** @param charged resolves when the usage is recorded; not called for a request that is not charged */
  onCharge(charged: Promise<void>): void;
  /** Called after the end of the response, and after {@link onCharge}. @param usage undefined if nothing was used */
  onEnd(usage: Usage | undefined): void;
}
