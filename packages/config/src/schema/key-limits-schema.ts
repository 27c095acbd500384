import { z } from 'zod';
import { optionalCount } from './field-types.ts';

/** Limits of a key across all processes, for keys in the file and keys created at run time. */
export const KeyLimitsSchema = z.strictObject({
  rpm: optionalCount().describe('Requests per 60 seconds. Absent: no limit.'),
  tpm: optionalCount().describe('Input and output tokens per 60 seconds. Absent: no limit.'),
  concurrent_tasks: optionalCount().describe(
    'Videos and images of the key that may run at vendors at once; more are queued. Absent: no limit.',
  ),
  open_tasks: optionalCount().describe(
    'Unfinished videos and images of the key; more are rejected with 429. Absent: no limit.',
  ),
});

export const BUDGET_PERIODS = ['day', 'month', 'total'] as const;

export const KeyBudgetSchema = z.strictObject({
  // Above a million dollars, integers in the Redis scripts would lose precision.
  usd: z.number().positive().max(1_000_000).describe('US dollars that the key may spend per period.'),
  period: z
    .enum(BUDGET_PERIODS)
    .default('month')
    .describe('When the budget resets: every `day` or `month` in UTC, or never (`total`).'),
});

export type KeyLimits = z.output<typeof KeyLimitsSchema>;
export type KeyBudget = z.output<typeof KeyBudgetSchema>;
