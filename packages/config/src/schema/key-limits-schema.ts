import { z } from 'zod';
import { optionalCount } from './field-types.ts';

/** Limits of a key across all processes. Used for keys in the file and for keys created at run time. */
export const KeyLimitsSchema = z.strictObject({
  rpm: optionalCount().describe('Maximum requests per 60 seconds. If omitted, there is no limit.'),
  tpm: optionalCount().describe('Maximum input and output tokens per 60 seconds. If omitted, there is no limit.'),
  concurrent_tasks: optionalCount().describe(
    'Maximum videos and images of the key that run at vendors at the same time. New tasks wait in the queue. If omitted, there is no limit.',
  ),
  open_tasks: optionalCount().describe(
    'Maximum unfinished videos and images of the key. Sluice refuses new tasks with 429. If omitted, there is no limit.',
  ),
});

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;

export const KeyBudgetSchema = z.strictObject({
  // Above a million dollars, integers in the Redis scripts would lose precision.
  usd: z.number().positive().max(1_000_000).describe('US dollars that the key can spend per period.'),
  period: z
    .enum(BUDGET_PERIODS)
    .default('month')
    .describe('When the budget resets: every `day` or `month` in UTC, or never (`total`).'),
});

export type KeyLimits = z.output<typeof KeyLimitsSchema>;
export type KeyBudget = z.output<typeof KeyBudgetSchema>;
