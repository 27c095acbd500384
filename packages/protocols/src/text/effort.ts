import type { Effort, Reasoning } from '@sluice/canonical';

/** Thinking tokens per effort level. Vendors do not publish these numbers. */
const BUDGETS: Readonly<Record<Effort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 4_096,
  medium: 10_240,
  high: 24_576,
  xhigh: 32_768,
  max: 65_536,
};

/** Anthropic's minimum. A smaller budget disables thinking. */
const MIN_BUDGET = 1_024;

/**
 * Returns a budget of at most four fifths of the output limit. 0 disables thinking, and undefined means no preference.
 */
export function thinkingBudget(reasoning: Reasoning | undefined, maxOutputTokens: number): number | undefined {
  if (!reasoning) return undefined;
  if (reasoning.enabled === false) return 0;
  const requested = reasoning.budgetTokens ?? (reasoning.effort === undefined ? undefined : BUDGETS[reasoning.effort]);
  if (requested === undefined) return undefined;
  const budget = Math.min(requested, Math.floor(maxOutputTokens * 0.8));
  return budget < MIN_BUDGET ? 0 : budget;
}

/** Returns the requested effort, or the effort that matches the requested budget. */
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
