import type { StreamEvent } from '@sluice/canonical';
import { expect, it } from 'vitest';
import { BlockQueue } from './block-queue.ts';

const delta = (text: string): StreamEvent => ({ type: 'delta', choice: 0, text });

it('passes the first block through and releases the others in order', () => {
  const queue = new BlockQueue();
  const first = queue.add();
  const second = queue.add();
  const third = queue.add();
  second.push(delta('b'));
  first.push(delta('a'));
  expect(queue.take()).toEqual([delta('a')]);
  third.push(delta('c'));
  third.close();
  first.close();
  expect(queue.take()).toEqual([delta('b')]);
  second.close();
  expect(queue.take()).toEqual([delta('c')]);
  expect(queue.take()).toEqual([]);
});
