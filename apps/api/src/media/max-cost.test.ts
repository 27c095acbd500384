import { expect, it } from 'vitest';
import { enforceMaxCost } from './max-cost.ts';

const target = (upstream: string, usdPerUnit?: number) => ({
  upstream,
  model: 'm',
  ...(usdPerUnit !== undefined && { price: { taskNanos: 0, unitNanos: usdPerUnit * 1e9, source: '{}' } }),
});
const targets = [target('unknown'), target('expensive', 1), target('cheap', 0.1), target('free', 0)];
const choice = { model: 'm', units: 4, targets };
const within = (maxUsd?: number) => enforceMaxCost(choice, maxUsd).map(({ upstream }) => upstream);

it('excludes the routes that may cost more, or whose price is unknown', () => {
  expect(within()).toEqual(['unknown', 'expensive', 'cheap', 'free']);
  expect(within(4)).toEqual(['expensive', 'cheap', 'free']);
  expect(within(3.999_999_999)).toEqual(['cheap', 'free']);
  expect(within(0)).toEqual(['free']);
});

it('names the cost of the cheapest route if none is left', () => {
  const expensive = { ...choice, targets: targets.slice(0, 3) };
  expect(() => enforceMaxCost(expensive, 0.3)).toThrow('The task may cost $0.40, but max_cost_usd allows $0.30.');
  expect(() => enforceMaxCost({ ...choice, targets: [target('unknown')] }, 1)).toThrow(
    'The cost of model `m` is unknown',
  );
});
