import { splitAccount } from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import type { PricedUse, PriceTarget } from '@sluice/prices';
import type { StoredResponse } from '@sluice/responses';
import type { ApiKey } from '../auth/api-keys.ts';
import { type OpenCharge, knownCharge } from '../metering/reservation/open-charge.ts';
import { outcomeOf } from '../metering/outcome-of.ts';
import { sentTokens } from '../metering/sent-tokens.ts';
import { type EndedResponse, readEnded } from './read-ended.ts';
import type { ResponsesDeps } from './responses-deps.ts';

export type ChargeEndedDeps = Pick<ResponsesDeps, 'responses' | 'catalog' | 'charges' | 'prices' | 'logger' | 'now'>;

/** Time until a worker charges a response that this process has not charged, e.g. because it died. */
const LEASE_MS = 60_000;

/**
 * Charges a background response that its vendor has ended, in place of its reservation. The end and the charge are
 * stored in one step, so that any process can complete it, and it is charged once. Never throws: the worker that polls
 * the response tries again.
 * @param response the vendor's JSON
 */
export async function chargeEnded(
  deps: ChargeEndedDeps,
  apiKey: ApiKey,
  record: StoredResponse,
  response: string,
): Promise<void> {
  const { responses, catalog, charges, prices } = deps;
  const ended = readEnded(response);
  if (!ended) return;
  try {
    const stored = await responses.unknownOf(record);
    if (stored === undefined) return;
    // The cast is safe because `storeResponse` wrote this value.
    const open = JSON.parse(stored) as OpenCharge;
    const resolved = catalog.find(record.model);
    const outcome = outcomeOf(prices, resolved?.model, targetOf(record, resolved), useOf(ended, open, response));
    // Without the model, the price is unknown.
    const known = resolved ? knownCharge(apiKey, open, outcome, { at: deps.now(), errorCode: ended.errorCode }) : open;
    const end = { webhook: `response.${ended.status}` as const, charge: JSON.stringify(known), leaseMs: LEASE_MS };
    if (!(await responses.endPoll(record, end))) return;
    const { model, upstream } = record;
    charges.chargeJob(known, { ...responses.chargedJob(record), model, upstream, outcome });
  } catch (error) {
    deps.logger.warn({ err: error }, 'background response not charged yet');
  }
}

/** Like any other request, an interrupted one costs its input and the output so far. Without output, a failure is free. */
function useOf({ status, usage }: EndedResponse, { max }: OpenCharge, response: string): PricedUse | undefined {
  if (usage) return { usage };
  if (status !== 'failed' && status !== 'cancelled') return { usage: max };
  const outputTokens = sentTokens(outputOf(response));
  if (status === 'failed' && outputTokens === 0) return undefined;
  return { usage: { inputTokens: max?.inputTokens ?? 0, outputTokens } };
}

function outputOf(response: string): string {
  // The cast is safe because `readEnded` has read this object.
  const { output } = JSON.parse(response) as { output?: unknown };
  return JSON.stringify(output ?? []);
}

/** Records of earlier versions do not contain the upstream's model. */
function targetOf(record: StoredResponse, resolved: ResolvedModel | undefined): PriceTarget {
  const { upstreamModel } = record;
  const { upstream } = splitAccount(record.upstream);
  const configured = resolved?.targets.find((target) => target.upstream === upstream);
  return { upstream, model: upstreamModel ?? configured?.model ?? '' };
}
