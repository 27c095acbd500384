import { GatewayError } from '@sluice/canonical';
import { formatUsd, toNanos } from '@sluice/limits';
import { type DecodedGroup, decodeDryRun, type GroupEstimate } from '@sluice/protocols';
import { checkCallback, originHeaders } from '../../http/public-url.ts';
import { LABELS_HEADER, readLabels } from '../../ledger/labels.ts';
import { budgetOf } from '../../metering/budget/budget-of.ts';
import { expectBudget } from '../../metering/budget/expect-budget.ts';
import { requestDigest } from '../../http/idempotency/request-digest.ts';
import { idempotencyKeyOf } from '../../http/idempotency/idempotency-key.ts';
import type { GroupCall, GroupsDeps } from './group-call.ts';
import { planVideos } from './plan-videos.ts';
import { storeImages } from './store-images.ts';

/**
 * Creates a group, or estimates its cost if `dry_run` is true. All requests are validated first. Workers then create the
 * tasks through `POST /v1/videos`, so that a group survives the end of any process.
 */
export async function createGroup(deps: GroupsDeps, call: GroupCall): Promise<unknown> {
  const { protocol, request, apiKey } = call;
  const images = await storeImages(deps.files, apiKey.name, protocol.decodeGroup(request.body, deps.maxVideos));
  let isNeeded = false;
  try {
    const { response, isNew } = await recordGroup(deps, call, images.decoded);
    isNeeded = isNew;
    return response;
  } catch (error) {
    // The group may have been recorded.
    isNeeded = error instanceof GatewayError && error.code === 'store_unavailable';
    throw error;
  } finally {
    if (!isNeeded) await images.remove();
  }
}

/** @returns the response, and whether a group was recorded */
async function recordGroup(
  deps: GroupsDeps,
  call: GroupCall,
  decoded: DecodedGroup,
): Promise<{ response: unknown; isNew: boolean }> {
  const { protocol, request, reply } = call;
  const { body } = request;
  const isDryRun = decodeDryRun(request.query);
  const idempotencyKey = idempotencyKeyOf(request);
  const headers = headersOf(call);
  const callbackUrl = decoded.callbackUrl && checkCallback(decoded.callbackUrl, deps.callbackOrigins, 'callback_url');
  const costs = await planVideos(deps, call, decoded);
  const nanos = sumOf(costs);
  await deps.charges.reserve(call, {});
  if (isDryRun) {
    return { response: protocol.encodeEstimate(await estimateOf(deps, call, decoded, nanos)), isNew: false };
  }

  enforceMaxCost(decoded, nanos);
  await expectBudget(deps.limiter, call.apiKey, { nanos: nanos ?? 0, remedy: 'Create fewer videos' });
  const { group, replayed } = await deps.groups.create(call.apiKey.name, {
    shared: decoded.shared,
    items: decoded.items.map(({ fields }, index) => ({ fields, maxNanos: costs[index] })),
    headers,
    maxCostNanos: decoded.maxCostUsd === undefined ? undefined : toNanos(decoded.maxCostUsd),
    callbackUrl,
    digest: requestDigest(body),
    idempotencyKey,
  });
  if (replayed) void reply.header('idempotent-replayed', 'true');
  return { response: protocol.encodeGroup(group), isNew: !replayed };
}

/** Returns the headers with which workers create the tasks. */
function headersOf({ request }: GroupCall): Record<string, string> {
  const labels = request.headers[LABELS_HEADER];
  if (labels !== undefined) readLabels(labels, undefined);
  return {
    ...(typeof labels === 'string' && { [LABELS_HEADER]: labels }),
    ...originHeaders(request),
  };
}

/** @returns undefined if a cost is unknown */
function sumOf(costs: readonly (number | undefined)[]): number | undefined {
  let sum = 0;
  for (const cost of costs) {
    if (cost === undefined) return undefined;
    sum += cost;
  }
  return sum;
}

/** @throws GatewayError `invalid_request` if the group may cost more than the client's limit */
function enforceMaxCost({ maxCostUsd }: DecodedGroup, nanos: number | undefined): void {
  if (maxCostUsd === undefined || (nanos !== undefined && nanos <= toNanos(maxCostUsd))) return;
  const param = 'max_cost_usd';
  if (nanos === undefined) {
    const what = 'The cost of a model is unknown, so max_cost_usd cannot be guaranteed.';
    throw new GatewayError('invalid_request', `${what} Remove it, or ask the operator to configure a price.`, {
      param,
    });
  }
  const what = `The group may cost ${formatUsd(nanos)}, but max_cost_usd allows ${formatUsd(toNanos(maxCostUsd))}.`;
  throw new GatewayError('invalid_request', `${what} Raise it, or create fewer videos.`, { param });
}

async function estimateOf(
  { limiter }: GroupsDeps,
  { apiKey }: GroupCall,
  { items, maxCostUsd }: DecodedGroup,
  nanos: number | undefined,
): Promise<GroupEstimate> {
  const budget = await budgetOf(limiter, apiKey);
  const budgetNanos = budget && toNanos(budget.remaining_usd);
  const isOverBudget = budgetNanos !== undefined && (budgetNanos <= 0 || (nanos ?? 0) > budgetNanos);
  const isTooExpensive = maxCostUsd !== undefined && (nanos === undefined || nanos > toNanos(maxCostUsd));
  return {
    videos: items.length,
    nanos,
    budgetNanos,
    exceeds: [...(isOverBudget ? ['budget' as const] : []), ...(isTooExpensive ? ['max_cost_usd' as const] : [])],
  };
}
