import type { Effort, GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { effortOf, thinkingBudget } from '../../text/effort.ts';
import { visibleReasoning } from '../../text/visible-reasoning.ts';
import { geminiVersion } from './gemini-version.ts';
import { filledRecord } from '../wire/proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

/** The output limit of Gemini 2.5, for requests without one. */
const MAX_OUTPUT = 65_536;

/** Bounds of `thinkingBudget` for Gemini 2.5 (ai.google.dev, "Thinking"). Thinking of Pro cannot be disabled. */
const PRO = { min: 128, max: 32_768 };
const FLASH = { min: 0, max: 24_576 };

/** Gemini 2.5 takes a number of tokens, Gemini 3 a level, older models nothing. @returns undefined without settings */
export function encodeThinking(
  request: GenerationRequest,
  { model, quirks }: TextTarget,
  report: LossReport,
): JsonObject | undefined {
  const { reasoning, maxOutputTokens } = request;
  if (!reasoning) return undefined;
  const mode = quirks.thinking_config ?? modeOf(model);
  if (mode === 'none') {
    const isOff = reasoning.enabled === false || reasoning.effort === 'none';
    if (!isOff) report({ field: 'reasoning_effort', how: 'dropped' });
    return undefined;
  }
  const visible = visibleReasoning(request);
  const amount = mode === 'budget' ? budget(reasoning, maxOutputTokens, model) : level(reasoning, model, report);
  return filledRecord({ includeThoughts: visible === undefined ? undefined : visible !== 'none', ...amount });
}

function modeOf(model: string): 'budget' | 'level' | 'none' {
  const version = geminiVersion(model) ?? 0;
  if (version >= 3) return 'level';
  return version >= 2.5 ? 'budget' : 'none';
}

type RequestedReasoning = NonNullable<GenerationRequest['reasoning']>;

function budget(reasoning: RequestedReasoning, maxOutputTokens = MAX_OUTPUT, model = ''): JsonObject | undefined {
  const { min, max } = /pro/i.test(model) ? PRO : FLASH;
  if (reasoning.enabled === false) return { thinkingBudget: min };
  if (reasoning.budgetTokens !== undefined) {
    // A fifth of the limit is left for the response.
    const maxShare = Math.floor(maxOutputTokens * 0.8);
    return { thinkingBudget: Math.max(min, Math.min(reasoning.budgetTokens, maxShare, max)) };
  }
  const derived = thinkingBudget(reasoning, maxOutputTokens);
  if (derived !== undefined) return { thinkingBudget: Math.max(min, Math.min(derived, max)) };
  // -1: dynamic thinking.
  return reasoning.adaptive === true || reasoning.enabled === true ? { thinkingBudget: -1 } : undefined;
}

function level(reasoning: RequestedReasoning, model: string, report: LossReport): JsonObject | undefined {
  const effort = effortOf(reasoning);
  if (effort === undefined) return undefined;
  const thinkingLevel = levelOf(effort, model);
  if (reasoning.effort === undefined && reasoning.budgetTokens !== undefined) {
    report({ field: 'reasoning_budget', how: 'replaced' });
  } else if (thinkingLevel.toLowerCase() !== effort) report({ field: 'reasoning_effort', how: 'clamped' });
  return { thinkingLevel };
}

/** Gemini 3 always thinks. Its Pro models have no `MINIMAL`, and the first one no `MEDIUM`. */
function levelOf(effort: Effort, model: string): string {
  const isPro = /pro/i.test(model);
  switch (effort) {
    case 'none':
    case 'minimal':
      return isPro ? 'LOW' : 'MINIMAL';
    case 'low':
      return 'LOW';
    case 'medium':
      return /gemini-3-pro/i.test(model) ? 'HIGH' : 'MEDIUM';
    case 'high':
    case 'xhigh':
    case 'max':
      return 'HIGH';
  }
}
