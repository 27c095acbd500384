import type { Effort, LossReport, Reasoning } from '@sluice/canonical';
import { effortOf, thinkingBudget } from '../../text/effort.ts';
import type { ModelTraits } from '../wire/model-traits.ts';

type WireThinkingConfig =
  | { type: 'disabled' }
  | { type: 'adaptive'; display?: 'omitted' | 'summarized' }
  | { type: 'enabled'; budget_tokens: number; display?: 'omitted' | 'summarized' };

type WireEffort = 'low' | 'medium' | 'high' | 'xhigh' | 'max';

export interface EncodedThinking {
  thinking?: WireThinkingConfig;
  effort?: WireEffort;
  /** Whether the model thinks, and so accepts neither sampling nor a forced tool. */
  on: boolean;
}

export interface ThinkingInput {
  reasoning: Reasoning | undefined;
  traits: ModelTraits;
  maxTokens: number;
  /** Whether the running tool loop started without thinking, so that the vendor rejects a budget (opencode#3077). */
  unsignedLoop: boolean;
  report: LossReport;
}

/** Configures thinking for the model: adaptive with an effort, or a budget below `max_tokens`. */
export function encodeThinking(input: ThinkingInput): EncodedThinking {
  const { reasoning, traits, report } = input;
  const effort = effortOf(reasoning);
  if (!reasoning || (effort === undefined && reasoning.adaptive !== true && reasoning.enabled !== true)) {
    // A model that always thinks still needs the visibility setting.
    const always = traits.adaptive && !traits.thinkingOff && reasoning?.visible !== undefined;
    return always ? { thinking: { type: 'adaptive', ...display(reasoning, traits) }, on: true } : { on: false };
  }
  if (effort === 'none') return thinkingOff(traits, report);
  if (!traits.adaptive && !traits.budget) {
    report({ field: 'reasoning', how: 'dropped' });
    return { on: false };
  }
  const givenBudget = reasoning.budgetTokens !== undefined && reasoning.effort === undefined;
  const takesBudget = traits.budget && (!traits.adaptive || (givenBudget && reasoning.adaptive !== true));
  if (takesBudget && !input.unsignedLoop) return thinkWithin(input, reasoning);
  if (!traits.adaptive) {
    report({ field: 'reasoning', how: 'dropped' });
    return { on: false };
  }
  if (givenBudget) report({ field: 'reasoning', how: 'replaced' });
  const word = effort === undefined ? undefined : effortWord(effort, traits, report);
  return {
    thinking: { type: 'adaptive', ...display(reasoning, traits) },
    ...(word !== undefined && { effort: word }),
    on: true,
  };
}

function thinkWithin({ traits, maxTokens, report }: ThinkingInput, reasoning: Reasoning): EncodedThinking {
  const vague = effortOf(reasoning) === undefined;
  if (vague) report({ field: 'reasoning', how: 'replaced' });
  const budget = thinkingBudget(vague ? { ...reasoning, effort: 'medium' } : reasoning, maxTokens) ?? 0;
  if (budget > 0) {
    return { thinking: { type: 'enabled', budget_tokens: budget, ...display(reasoning, traits) }, on: true };
  }
  // `max_tokens` leaves no room for the smallest budget.
  report({ field: 'reasoning', how: 'dropped' });
  return thinkingOff(traits, report);
}

/** A model that always thinks gets the lowest effort instead. */
function thinkingOff(traits: ModelTraits, report: LossReport): EncodedThinking {
  if (!traits.adaptive && !traits.budget) return { on: false };
  if (traits.thinkingOff) return { thinking: { type: 'disabled' }, on: false };
  report({ field: 'reasoning', how: 'replaced' });
  return traits.adaptive ? { thinking: { type: 'adaptive' }, effort: 'low', on: true } : { on: false };
}

function effortWord(effort: Effort, traits: ModelTraits, report: LossReport): WireEffort | undefined {
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

function display({ visible }: Reasoning, traits: ModelTraits): { display?: 'omitted' | 'summarized' } {
  if (visible === undefined || !traits.display) return {};
  return { display: visible === 'none' ? 'omitted' : 'summarized' };
}
