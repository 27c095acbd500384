import { z } from 'zod';
import { CostEstimateSchema } from '../media/cost-controls.ts';

/** The response to the creation of a batch with `dry_run=true`. */
const BatchEstimateSchema = z
  .object({
    object: z.literal('batch.estimate'),
    requests: z.int(),
    model: z.string().nullable().meta({ description: 'null: several models.' }),
    input_tokens: z.int(),
    output_tokens: z
      .int()
      .meta({ description: 'The maximum, by the limits of the requests or the defaults of the models.' }),
    cost_usd: z.number().nullable().meta({ description: 'The maximum cost. null: a model has no price.' }),
    budget: CostEstimateSchema.shape.budget,
    exceeds: CostEstimateSchema.shape.exceeds.meta({ description: 'The limits that would refuse the batch.' }),
  })
  .meta({ id: 'BatchEstimate' });

export type BatchEstimate = z.output<typeof BatchEstimateSchema>;

/** Documents the response to the creation of a batch. */
export function createdBatch(schema: z.ZodType) {
  return {
    200: {
      description: 'The batch, or a cost estimate if `dry_run` is true',
      content: { 'application/json': z.union([schema, BatchEstimateSchema]) },
    },
  };
}
