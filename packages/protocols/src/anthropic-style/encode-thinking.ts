import type { Effort, LossReport, Reasoning } from '@sluice/canonical';
import { effortOf, thinkingBudget } from '../text/effort.ts';
import type { ModelTraits } from './model-traits.ts';

type Display = 'omitted' | 'summarized' | undefined;

type WireThinkingConfig =
  | { type: 'disabled' }
  | { type: 'adaptive'; display: Display }
  | { type: 'enabled'; budget_tokens: number; display: Display };

type WireEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface EncodedThinking {
  thinking?: WireThinkingConfig;
  effort?: WireEffort | undefined;
  /** Whether the model thinks. If it does, it accepts neither sampling parameters nor a forced tool. */
  on: boolean;
}

export interface ThinkingInput {
  reasoning: Reasoning | undefined;
  traits: ModelTraits;
  maxTokens: number;
  /**
   * Whether the current tool loop started without thinking. If so, the vendor rejects a thinking budget
   * (opencode#3077).
   */
  unsignedLoop: boolean;
  report: LossReport;
}

/** Encodes thinking for the model: either adaptive with an effort, or a budget below `max_tokens`. */
export function encodeThinking(input: ThinkingInput): EncodedThinking {
  const { reasoning, traits, report } = input;
  const effort = effortOf(reasoning);
  // Thinking is disabled by default, so it is enabled for a client that wants to see it.
  const isShown = reasoning?.visible === 'summary' || reasoning?.visible === 'full';
  const isOn = reasoning?.adaptive === true || reasoning?.enabled === true || isShown;
  if (!reasoning || (effort === undefined && !isOn)) {
    // A model that always thinks still needs the visibility setting.
    const always = traits.adaptive && !traits.thinkingOff && reasoning?.visible !== undefined;
    return always ? { thinking: { type: 'adaptive', display: displayOf(reasoning, traits) }, on: true } : { on: false };
  }
  if (effort === 'none') return thinkingOff(traits, report);
  if (!traits.adaptive && !traits.budget) {
    report({ field: 'reasoning', how: 'dropped' });
    return { on: false };
  }
  const hasBudgetOnly = reasoning.budgetTokens !== undefined && reasoning.effort === undefined;
  const usesBudget = traits.budget && (!traits.adaptive || (hasBudgetOnly && reasoning.adaptive !== true));
  if (usesBudget && !input.unsignedLoop) return thinkWithBudget(input, reasoning);
  if (!traits.adaptive) {
    report({ field: 'reasoning', how: 'dropped' });
    return { on: false };
  }
  if (hasBudgetOnly) report({ field: 'reasoning', how: 'replaced' });
  return {
    thinking: { type: 'adaptive', display: displayOf(reasoning, traits) },
    effort: effort === undefined ? undefined : encodeEffort(effort, traits, report),
    on: true,
  };
}

function thinkWithBudget({ traits, maxTokens, report }: ThinkingInput, reasoning: Reasoning): EncodedThinking {
  const hasNoEffort = effortOf(reasoning) === undefined;
  if (hasNoEffort) report({ field: 'reasoning', how: 'replaced' });
  const budget = thinkingBudget(hasNoEffort ? { ...reasoning, effort: 'medium' } : reasoning, maxTokens) ?? 0;
  if (budget > 0) {
    if (reasoning.budgetTokens !== undefined && budget < reasoning.budgetTokens) {
      report({ field: 'reasoning_budget', how: 'clamped' });
    }
    return { thinking: { type: 'enabled', budget_tokens: budget, display: displayOf(reasoning, traits) }, on: true };
  }
  // `max_tokens` is too low for the minimum budget.
  report({ field: 'reasoning', how: 'dropped' });
  return thinkingOff(traits, report);
}

/** A model that always thinks gets the lowest effort instead of disabled thinking. */
function thinkingOff(traits: ModelTraits, report: LossReport): EncodedThinking {
  if (!traits.adaptive && !traits.budget) return { on: false };
  if (traits.thinkingOff) return { thinking: { type: 'disabled' }, on: false };
  report({ field: 'reasoning', how: 'replaced' });
  return traits.adaptive
    ? { thinking: { type: 'adaptive', display: undefined }, effort: 'low', on: true }
    : { on: false };
}

function encodeEffort(effort: Effort, traits: ModelTraits, report: LossReport): WireEffort | undefined {
  switch (effort) {
    case 'none':
      return undefined;
    case 'minimal':
      return 'low';
    case 'xhigh':
      if (traits.xhigh) return effort;
      report({ field: 'reasoning', how: 'clamped' });
      return 'high';
    case 'low':
    case 'medium':
    case 'high':
    case 'max':
      return effort;
  }
}

function displayOf({ visible }: Reasoning, traits: ModelTraits): Display {
  if (visible === undefined || !traits.display) return undefined;
  return visible === 'none' ? 'omitted' : 'summarized';
}
