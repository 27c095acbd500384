import type { StreamEvent } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { createBlockRow } from './block-row.ts';

const delta = (text: string): StreamEvent => ({ type: 'delta', choice: 0, text });

it('passes the first block through and releases the others in order', () => {
  const row = createBlockRow();
  const first = row.add();
  const second = row.add();
  const third = row.add();
  second.push(delta('b'));
  first.push(delta('a'));
  expect(row.take()).toEqual([delta('a')]);
  third.push(delta('c'));
  third.close();
  first.close();
  expect(row.take()).toEqual([delta('b')]);
  second.close();
  expect(row.take()).toEqual([delta('c')]);
  expect(row.take()).toEqual([]);
});
