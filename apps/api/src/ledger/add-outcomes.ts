import type { PriceLine } from '@sluice/prices';
import { addUsage } from '@sluice/protocols';
import type { RequestOutcome } from './request-entry.ts';

/** The sum has a cost only if both parts have one. */
export function addOutcomes(one: RequestOutcome, other: RequestOutcome): RequestOutcome {
  const { use, cost, source } = other;
  const usage = use?.usage ? addUsage(one.use?.usage, use.usage) : one.use?.usage;
  if (!cost || !one.cost) return { use: { usage } };
  const sum = { nanos: one.cost.nanos + cost.nanos, lines: addLines(one.cost.lines, cost.lines) };
  return { use: { usage }, cost: sum, source };
}

/** Adds up lines with the same unit. Lines without a cost are omitted. */
function addLines(lines: readonly PriceLine[], more: readonly PriceLine[]): PriceLine[] {
  const sums = new Map(lines.map((line) => [line.unit, { ...line }]));
  for (const { unit, quantity, nanos } of more) {
    const sum = sums.get(unit) ?? { unit, quantity: 0, nanos: 0 };
    sums.set(unit, { unit, quantity: sum.quantity + quantity, nanos: sum.nanos + nanos });
  }
  return [...sums.values()].filter(({ nanos }) => nanos !== 0);
}
