import { z } from 'zod';
import { isRecord } from '../json/is-record.ts';
import { parseInput } from '../json/parse-input.ts';
import { decimalNumber } from './fields.ts';

const MAX_USD = 1_000_000;

/** A field of every request that creates a task. Sluice itself reads it, and no upstream receives it. */
export const MaxCostSchema = decimalNumber(0, MAX_USD).optional().meta({
  description: 'Maximum cost in US dollars. A request that may cost more, or whose cost is unknown, is refused.',
  example: 0.5,
});

const MaxCostFieldsSchema = z.object({ max_cost_usd: MaxCostSchema });

const DRY_RUN = { error: 'must be true or false' };

/** Query of every request that creates a task. */
export const DryRunQuerySchema = z.object({
  dry_run: z.enum(['true', 'false'], DRY_RUN).optional().meta({
    description: '`true` returns a cost estimate instead of creating the task.',
  }),
});

/** @throws GatewayError `invalid_request` */
export function decodeDryRun(query: unknown): boolean {
  return parseInput(DryRunQuerySchema, query).dry_run === 'true';
}

/**
 * Separates `max_cost_usd` from the fields of a body or form.
 * @throws GatewayError `invalid_request` if it is not a number
 */
export function decodeMaxCost(fields: unknown): { fields: unknown; maxCostUsd?: number } {
  if (!isRecord(fields) || !Object.hasOwn(fields, 'max_cost_usd')) return { fields };
  const { max_cost_usd: value, ...rest } = fields;
  if (value === null || value === '') return { fields: rest };
  const { max_cost_usd: maxCostUsd } = parseInput(MaxCostFieldsSchema, { max_cost_usd: value });
  return { fields: rest, ...(maxCostUsd !== undefined && { maxCostUsd }) };
}

const usd = (description: string) => z.number().meta({ description });

/** The response to a request with `dry_run=true`. */
export const CostEstimateSchema = z
  .object({
    object: z.literal('cost_estimate'),
    model: z.string(),
    upstream: z.string().meta({ description: 'The upstream that would receive the task first.' }),
    upstream_model: z.string(),
    cost_usd: z.number().nullable().meta({ description: 'The cost at this upstream. null: the price is unknown.' }),
    unpriced: z.literal(true).optional().meta({ description: 'Present if the price is unknown.' }),
    lines: z.array(z.object({ unit: z.string(), quantity: z.number(), cost_usd: z.number() })),
    price_source: z
      .looseObject({ from: z.enum(['config', 'catalog']) })
      .optional()
      .meta({ description: 'The configuration, or a catalog with its name and date.' }),
    reserved_usd: usd(
      "The amount that the task would reserve in the key's budget: the cost at the most expensive upstream of the model.",
    ).optional(),
    budget: z
      .object({
        limit_usd: z.number(),
        period: z.enum(['day', 'month', 'total']),
        spent_usd: z.number(),
        reserved_usd: z.number(),
        remaining_usd: z.number(),
        resets_at: z.number().optional().meta({ description: 'Unix seconds.' }),
      })
      .optional()
      .meta({ description: 'Only for a key with a budget.' }),
    exceeds: z
      .array(z.enum(['budget', 'max_cost_usd']))
      .meta({ description: 'The limits that would refuse the task.' }),
  })
  .meta({ id: 'CostEstimate' });

export type CostEstimate = z.output<typeof CostEstimateSchema>;

/** Documents the response of a creation, which is a cost estimate for a dry run. */
export function creationResponse(description: string, schema: z.ZodType) {
  return {
    description: `${description}, or a cost estimate if \`dry_run\` is true`,
    content: { 'application/json': z.union([schema, CostEstimateSchema]) },
  };
}
