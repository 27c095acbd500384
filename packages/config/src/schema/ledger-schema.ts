import { z } from 'zod';
import { positiveUpTo, section } from './field-types.ts';

/** A hundred years. */
const MAX_DAYS = 36_500;

export const LedgerSchema = section({
  enabled: z
    .boolean()
    .default(true)
    .describe('Whether Sluice records an entry for each request and task, for usage reports.'),
  url: z
    .string()
    .regex(/^postgres(?:ql)?:\/\//, 'must be a postgres:// URL')
    .optional()
    .describe(
      'The `postgres://` URL of the ledger. Required if workers and the API run on several machines. If omitted, the ledger is the SQLite file `ledger.sqlite` in the data folder.',
    ),
  end_users: z
    .enum(['hash', 'plain', 'off'])
    .default('hash')
    .describe('How entries contain the end user that a client names: as a hash, as sent, or not at all.'),
  entries_days: positiveUpTo(MAX_DAYS)
    .default(90)
    .describe('The days for which Sluice keeps entries. Older reports are by full hours.'),
  rollups_days: positiveUpTo(MAX_DAYS)
    .default(1_095)
    .describe('The days for which Sluice keeps the hourly sums of entries. Must be at least `ledger.entries_days`.'),
});
