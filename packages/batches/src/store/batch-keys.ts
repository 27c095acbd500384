import { hashOf } from '@sluice/redis-scripts';

/** The names of Redis keys of batches. `lua/includes/keys.lua` builds the same names from the deployment's prefix. */
export interface BatchKeys {
  /** The deployment's prefix, with its hash tag. */
  root: string;
  batch(id: string): string;
  /** The batch that was created with an idempotency key. @param operation which can use the same key separately */
  repetition(owner: string, operation: string, key: string): string;
  /** The states and results of the lines of a segment that runs, see `line-fields.ts`. */
  lines(id: string, job: string): string;
  /** The segments of a batch, by their numbers. */
  segments(id: string): string;
  /** Where the vendor's results of each segment are. */
  results(id: string): string;
  /** Batches that have ended, by the time at which their records are deleted. */
  expiring: string;
  stats: string;
}

export function createBatchKeys(name: string): BatchKeys {
  const root = `{${name}}:`;
  const prefix = `${root}batches:`;
  return {
    root,
    batch: (id) => `${prefix}batch:${id}`,
    repetition: (owner, operation, key) => `${prefix}idem:${hashOf(owner, operation, key)}`,
    lines: (id, job) => `${prefix}lines:${id}:${job}`,
    segments: (id) => `${prefix}segments:${id}`,
    results: (id) => `${prefix}results:${id}`,
    expiring: `${prefix}expiring`,
    stats: `${prefix}stats`,
  };
}
