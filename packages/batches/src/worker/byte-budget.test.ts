import { expect, it } from 'vitest';
import { ByteBudget } from './byte-budget.ts';

it('limits the bytes in memory, in the order of the calls, and lets a larger line be alone', async () => {
  const budget = new ByteBudget(10);
  const order: string[] = [];
  const take = (name: string, bytes: number) => budget.take(bytes).then(() => order.push(name));
  await Promise.all([take('a', 6), take('b', 4)]);
  const waiting = [take('large', 100), take('c', 1)];
  budget.release(6);
  await Promise.resolve();
  expect(order).toEqual(['a', 'b']);
  budget.release(4);
  await waiting[0];
  expect(order).toEqual(['a', 'b', 'large']);
  budget.release(100);
  await Promise.all(waiting);
  expect(order).toEqual(['a', 'b', 'large', 'c']);
});
