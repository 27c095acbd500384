import type { Loss } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { knownFields } from './known-fields.ts';

it('accepts fields that the vendor supports and reports the others as dropped', () => {
  const lost: Loss[] = [];
  const foreign = { protocol: 'openai', fields: { truncate: 'END', user: 'u' } } as const;
  expect(knownFields(foreign, ['truncate', 'priority'], (loss) => lost.push(loss))).toEqual({ truncate: 'END' });
  expect(lost).toEqual([{ field: 'user', how: 'dropped' }]);
});
