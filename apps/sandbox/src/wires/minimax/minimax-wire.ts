import { digitsFrom } from '../../jobs/job-id.ts';
import type { BodyError } from '../../schema/check-body.ts';

/** Both API versions share one account. Tasks over its limit wait in the queue. */
export const MINIMAX_WIRE = {
  wire: 'minimax',
  requestIdHeader: 'trace-id',
  jobId: digitsFrom,
  overLimit: 'wait',
} as const;

export function bodyProblem({ kind, field, message }: BodyError): string {
  return { missing: `${field} is required`, unknown: `${field} is not supported`, invalid: `${field}: ${message}` }[
    kind
  ];
}
