import { CustomIds, InvalidBatchInput, readBatchLines } from '@sluice/batches';
import { GatewayError } from '@sluice/canonical';
import { NANOS_PER_USD, toNanos } from '@sluice/limits';
import type { BatchEstimate, decodeEstimatedBatch } from '@sluice/protocols';
import { budgetOf } from '../metering/budget/budget-of.ts';
import type { BatchCall } from './batch-call.ts';
import type { BatchesDeps } from './batches-deps.ts';
import { lineEstimator } from './estimate-line.ts';

type EstimatedBatch = Omit<ReturnType<typeof decodeEstimatedBatch>, 'inputFileId'>;

/**
 * Reads the requests of a batch, and estimates its maximum cost. A worker also calls it before it runs a batch.
 * @param input the lines of the input file
 * @param reopen reads them again. If given, the lines are checked like those of a creation
 * @throws GatewayError if a request is invalid, or the key may not use its model
 */
export async function estimateBatch(
  deps: BatchesDeps,
  call: BatchCall,
  { endpoint, maxCostUsd }: EstimatedBatch,
  input: AsyncIterable<Uint8Array>,
  reopen?: () => Promise<AsyncIterable<Uint8Array>>,
): Promise<BatchEstimate> {
  const estimateLine = lineEstimator(deps, call, endpoint);
  // Otherwise, the validation has checked whether the requests may have several models.
  const rules = { endpoint, protocol: reopen ? 'openai' : 'anthropic', limits: deps.limits } as const;
  const ids = reopen && new CustomIds();
  const total = { requests: 0, input: 0, output: 0, nanos: 0, isPriced: true };
  const models = new Set<string>();
  let refusal: GatewayError | undefined;
  try {
    for await (const { number, line } of readBatchLines(input, rules)) {
      ids?.add(line.custom_id);
      if (refusal) continue;
      const estimate = atLine(number, () => estimateLine(line.body));
      if (estimate instanceof GatewayError) {
        refusal = estimate;
        continue;
      }
      const { model, usage, nanos } = estimate;
      if (models.size < 2) models.add(model);
      total.requests += 1;
      total.input += usage.inputTokens;
      total.output += usage.outputTokens;
      total.nanos += nanos ?? 0;
      total.isPriced &&= nanos !== undefined;
    }
    const duplicates = await ids?.duplicates(async function* () {
      if (reopen) yield* readBatchLines(await reopen(), rules);
    });
    if (duplicates && duplicates.length > 0) throw new InvalidBatchInput(duplicates);
  } catch (error) {
    throw error instanceof InvalidBatchInput ? invalidInput(error) : error;
  }
  // Like the validation, reports it after the errors of other lines.
  if (refusal) throw refusal;
  const budget = await budgetOf(deps.limiter, call.apiKey);
  const isOverBudget = budget && (budget.remaining_usd <= 0 || total.nanos > toNanos(budget.remaining_usd));
  const isTooExpensive = maxCostUsd !== undefined && (!total.isPriced || total.nanos > toNanos(maxCostUsd));
  const [model] = models;
  return {
    object: 'batch.estimate',
    requests: total.requests,
    model: models.size === 1 ? (model ?? null) : null,
    input_tokens: total.input,
    output_tokens: total.output,
    cost_usd: total.isPriced ? total.nanos / NANOS_PER_USD : null,
    ...(budget && { budget }),
    exceeds: [...(isOverBudget ? ['budget' as const] : []), ...(isTooExpensive ? ['max_cost_usd' as const] : [])],
  };
}

/** @returns an error of the line with its number */
function atLine<T>(number: number, work: () => T): T | GatewayError {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { code, message, param } = error;
    return new GatewayError(code, `Line ${number}: ${message}`, {
      line: number,
      ...(param !== undefined && { param }),
    });
  }
}

/** Names the lines of all errors, because the format of errors has room for one. */
function invalidInput({ errors: [first, ...others] }: InvalidBatchInput): GatewayError {
  const { message: problem = 'The input is invalid.', param = 'input_file_id', line } = first ?? {};
  const lines = others.flatMap((error) => error.line ?? []);
  const message = lines.length === 0 ? problem : `${problem} More lines are invalid: ${lines.join(', ')}.`;
  return new GatewayError('invalid_request', message, { param, ...(line !== undefined && { line }) });
}
