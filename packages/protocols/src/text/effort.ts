import type { Effort, Reasoning } from '@sluice/canonical';

/** Tokens to think with for each effort; vendors publish no such table, so these are ours. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 65_536,
};

/** The least that Anthropic takes; less means none at all. */
const MIN_BUDGET = 1_024;

/**
 * Tokens to think with, for upstreams that take a budget: the client's own, or that of its effort, and at most four fifths
 * of the answer's limit so that something is left for the answer. 0: do not think. Undefined: nothing was asked for.
 */
export function thinkingBudget(reasoning: Reasoning | undefined, maxOutputTokens: number): number | undefined {
  if (!reasoning) return undefined;
  if (reasoning.enabled === false) return 0;
  const wanted = reasoning.budgetTokens ?? (reasoning.effort === undefined ? undefined : BUDGETS[reasoning.effort]);
  if (wanted === undefined) return undefined;
  const budget = Math.min(wanted, Math.floor(maxOutputTokens * 0.8));
  return budget < MIN_BUDGET ? 0 : budget;
}

/** The effort, for upstreams that take one: the client's own, or what its budget comes to. */
export function effortOf(reasoning: Reasoning | undefined): Effort | undefined {
  if (!reasoning) return undefined;
  if (reasoning.enabled === false) return 'none';
  if (reasoning.effort !== undefined) return reasoning.effort;
  const budget = reasoning.budgetTokens;
  if (budget === undefined) return undefined;
  if (budget <= 0) return 'none';
  if (budget < 8_192) return 'low';
  if (budget < 16_384) return 'medium';
  return budget < 32_768 ? 'high' : 'xhigh';
}
