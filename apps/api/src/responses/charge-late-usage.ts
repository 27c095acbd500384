import { splitAccount } from '@sluice/canonical';
import type { ResolvedModel } from '@sluice/config';
import { lateUsageId } from '@sluice/ledger';
import type { PriceTarget } from '@sluice/prices';
import type { ApiKey } from '../auth/api-keys.ts';
import { lateEntry } from '../ledger/late-entry.ts';
import { lateOutcomeOf } from '../metering/outcome-of.ts';
import { reportedUsage } from './reported-usage.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import type { StoredResponse } from '@sluice/responses';

export type LateUsageDeps = Pick<
  ResponsesDeps,
  'responses' | 'catalog' | 'charges' | 'prices' | 'ledger' | 'logger' | 'now'
>;

/**
 * Charges usage beyond the reservation, once, with a ledger entry of its own. The claim is recorded before the charge,
 * so a crash may lose the charge but cannot repeat it. Never throws.
 * @param response the vendor's JSON
 */
export async function chargeLateUsage(
  deps: LateUsageDeps,
  apiKey: ApiKey,
  record: StoredResponse,
  response: string,
): Promise<void> {
  const { charged } = record;
  const usage = charged && reportedUsage(response);
  if (!usage) return;
  try {
    if (!(await deps.responses.takeCharge(record))) return;
  } catch (error) {
    return deps.logger.warn({ err: error }, 'usage of a background response not charged yet');
  }
  const resolved = deps.catalog.find(record.model);
  const target = targetOf(record, resolved);
  const outcome = lateOutcomeOf(deps.prices, resolved?.model, target, { usage, charged });
  const id = lateUsageId(record.id);
  const { model, ledger: shared } = record;
  const isLedgered = deps.ledger.isEnabled && shared !== undefined;
  const entry = isLedgered
    ? lateEntry({ id, at: deps.now(), key: apiKey.name, shared, model, target, outcome })
    : undefined;
  deps.charges.chargeLate(apiKey, id, outcome, entry);
}

/** Records of earlier versions do not contain the upstream's model. */
function targetOf(record: StoredResponse, resolved: ResolvedModel | undefined): PriceTarget {
  const { upstreamModel } = record;
  const { upstream } = splitAccount(record.upstream);
  const configured = resolved?.targets.find((target) => target.upstream === upstream);
  return { upstream, model: upstreamModel ?? configured?.model ?? '' };
}
