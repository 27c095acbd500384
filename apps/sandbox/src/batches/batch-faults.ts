import { BATCH_DIRECTIVES, BATCH_LIMITS, hasBatchDirective } from '../directives/batch-directives.ts';
import type { FormatError } from '../wires/media/format-error.ts';
import type { BatchCounts } from './batch-counts.ts';

/** Applies the directives that make calls fail. */
export function createBatchFaults(counts: BatchCounts, wire: string, format: FormatError) {
  /**
   * Returns true, and counts the call, if the text has the directive and fewer calls than its limit were counted.
   * @param subject the id of a batch, or a task for directives on creations.
   */
  function consume(name: keyof typeof BATCH_LIMITS, text: string, subject: string): boolean {
    if (!hasBatchDirective(text, name)) return false;
    return counts.consumeFault(`${wire} ${subject}`, BATCH_DIRECTIVES[name].word, BATCH_LIMITS[name]);
  }

  /** @throws WireError if a directive refuses the creation. */
  function check(text: string, task: string): void {
    if (consume('unavailable', text, task)) throw format('unavailable');
    if (hasBatchDirective(text, 'balance')) throw format('balance');
    if (hasBatchDirective(text, 'refused')) throw format('refused');
    if (consume('throttled', text, task)) throw format('throttled');
  }

  return { consume, check };
}
