import type { FindOutcome, VendorLookup } from '@sluice/canonical';

/** Converts the result of a search in a vendor's list of batches. */
export function lookupOf(found: FindOutcome): VendorLookup {
  if (found.kind !== 'candidates') return { kind: 'unclear', reason: 'the list is not usable' };
  const [job] = found.jobs;
  return job ? { kind: 'found', id: job.upstreamId } : { kind: 'missing' };
}
