import { text as readText } from 'node:stream/consumers';
import { type BatchInputError, GatewayError } from '@sluice/canonical';
import { formatUsd, type LimitedRequest, toNanos } from '@sluice/limits';
import { z } from 'zod';
import { InvalidBatchInput } from '../input/read-batch-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import type { WorkerContext } from './worker-context.ts';

/** The lines are already checked. */
const PATH = '/v1/batches?dry_run=true&is_checked=true';

/** The maximum cost of a batch, and the budget of its owner. Amounts are in nano-dollars. */
export interface EstimatedCost {
  /** Undefined if a price is unknown. */
  nanos: number | undefined;
  /** Undefined if the key has none. */
  budget: LimitedRequest['budget'];
}

const EstimateSchema = z.object({
  cost_usd: z.number().nullable(),
  budget: z
    .object({ limit_usd: z.number(), remaining_usd: z.number(), period: z.enum(['day', 'month', 'total']) })
    .optional(),
  exceeds: z.array(z.string()),
});
const RefusalSchema = z.object({
  error: z.object({
    code: z.string().nullish(),
    message: z.string(),
    param: z.string().nullish(),
    line: z.int().nullish(),
  }),
});

/**
 * Estimates the maximum cost of a batch, by the same endpoint that clients use.
 * @throws {InvalidBatchInput} if the batch costs too much or cannot be served. @throws Error if a retry may succeed
 */
export async function estimateCost(
  { serve, aborting }: Pick<WorkerContext, 'serve' | 'aborting'>,
  { owner, inputFileId, endpoint, maxCostUsd }: StoredBatch,
): Promise<EstimatedCost> {
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ input_file_id: inputFileId, endpoint, max_cost_usd: maxCostUsd });
  const response = await serve({ owner, method: 'POST', path: PATH, headers, body, signal: aborting }).catch(refused);
  const text = await readText(response.body);
  const { status } = response;
  if (status === 408 || status === 429 || status >= 500) throw new Error(`the estimate was refused with ${status}`);
  const json: unknown = JSON.parse(text);
  if (status >= 400) {
    const { code, message, param, line } = RefusalSchema.parse(json).error;
    const found = { code: code ?? 'invalid_request', message, ...(line && { line }), ...(param && { param }) };
    throw new InvalidBatchInput([found]);
  }
  const { cost_usd: usd, budget, exceeds } = EstimateSchema.parse(json);
  const nanos = usd === null ? undefined : toNanos(usd);
  if (exceeds.includes('budget')) throw overBudget(nanos, budget?.remaining_usd);
  if (exceeds.length > 0) throw new InvalidBatchInput([overMaxCost(nanos, maxCostUsd)]);
  return { nanos, budget: budget && { nanos: toNanos(budget.limit_usd), period: budget.period } };
}

/**
 * @param nanos the maximum cost of the batch
 * @param remainingUsd undefined if other requests of the key were faster
 */
export function overBudget(nanos: number | undefined, remainingUsd?: number): InvalidBatchInput {
  const left =
    remainingUsd === undefined
      ? 'but other requests have meanwhile used or reserved the budget of this API key'
      : `but only ${formatUsd(toNanos(remainingUsd))} of the budget of this API key is left`;
  const message = `The batch may cost ${dollars(nanos)}, ${left}. Lower the output limits, or create the batch later.`;
  return new InvalidBatchInput([{ code: 'insufficient_quota', message }]);
}

function refused(error: unknown): never {
  if (!(error instanceof GatewayError) || error.code !== 'invalid_api_key') throw error;
  const message = 'The API key of the batch no longer exists.';
  throw new InvalidBatchInput([{ code: error.code, message }]);
}

function overMaxCost(nanos: number | undefined, maxUsd: number | undefined): BatchInputError {
  const message =
    nanos === undefined
      ? 'The cost of the batch is unknown, because the model has no price. Remove `max_cost_usd`, or ask the operator to set a price.'
      : `The batch may cost ${dollars(nanos)}, but \`max_cost_usd\` is ${maxUsd}. Raise it, or lower the output limits.`;
  return { code: 'max_cost_exceeded', message, param: 'max_cost_usd' };
}

function dollars(nanos: number | undefined): string {
  return nanos === undefined ? 'an unknown amount' : formatUsd(nanos);
}
