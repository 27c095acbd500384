import type { PriceTarget } from '@sluice/prices';
import { outcomeJson, type RequestOutcome } from './request-entry.ts';

interface LateParts {
  id: string;
  at: number;
  key: string;
  /** Members of the request's own entry, as a JSON object. */
  shared: string;
  model: string;
  target: PriceTarget;
  outcome: RequestOutcome;
}

/**
 * Builds the entry of a background response's usage beyond the reservation, which its request's entry contains. The
 * vendor reports it after that entry was written.
 */
export function lateEntry({ id, at, key, shared, model, target, outcome }: LateParts): string {
  const head = JSON.stringify({
    id,
    type: 'request',
    at,
    key,
    model,
    upstream: target.upstream,
    upstreamModel: target.model,
    isRelayed: true,
    status: 200,
    durationMs: 0,
  });
  return `${head.slice(0, -1)},${shared.slice(1, -1)}${outcomeJson(outcome, false)}}`;
}
