import { isFinal, type MediaTask } from '@sluice/canonical';
import { z } from 'zod';

const NANOS_PER_USD = 1e9;

/** Fields of a finished task, in addition to the fields of the vendors' protocols. */
export const COST_FIELDS = {
  cost_usd: z
    .number()
    .optional()
    .meta({ description: 'Cost of the finished task in US dollars, if its price is known.' }),
  unpriced: z.literal(true).optional().meta({ description: 'The finished task has a cost, but its price is unknown.' }),
};

/** A task in an event of the past has its current cost, but not the final status. */
export function costOf({ status, costNanos, unpriced }: MediaTask): { cost_usd?: number; unpriced?: true } {
  if (!isFinal(status)) return {};
  return { ...(costNanos !== undefined && { cost_usd: costNanos / NANOS_PER_USD }), ...(unpriced && { unpriced }) };
}
