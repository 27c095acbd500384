import { expect, it } from 'vitest';
import { keysTable, keyTable } from './keys-table.ts';

it('keyTable accepts any time', () => {
  const key = { name: 'app', id: 'key_1', status: 'active', expires_at: 9e15, created_at: 1_800_000_000 };
  expect(keysTable([key])).toContain('9000000000000000');
  expect(keyTable(key)).toMatch(/expires_at +9000000000000000\n +created_at +2027-01-15 08:00 UTC/);
});

it('keyTable shows amounts of money in full', () => {
  const budget = { usd: 1_000_000, period: 'total' };
  const key = { name: 'app', budget, spending: { spent_usd: 1e-9, remaining_usd: 999_999.999999999 } };
  expect(keysTable([key])).toMatch(/ \$1000000 in total +\$0\.000000001 +\$999999\.999999999 +all$/);
});
