import type { Effort, GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { effortOf, thinkingBudget } from '../../text/effort.ts';
import { visibleReasoning } from '../../text/visible-reasoning.ts';
import { geminiVersion } from './gemini-version.ts';
import { filledRecord } from '../wire/proto-json.ts';
import type { JsonObject } from '../../json/values.ts';

/** Gemini 2.5's output limit, for requests without a limit. */
const MAX_OUTPUT = 65_536;

/** Limits of `thinkingBudget` for Gemini 2.5 (ai.google.dev, "Thinking"). Pro models cannot disable thinking. */
const PRO = { min: 128, max: 32_768 };
const FLASH = { min: 0, max: 24_576 };

/**
 * Encodes reasoning settings. Gemini 2.5 accepts a number of tokens, Gemini 3 accepts a level, and older models accept
 * neither. @returns undefined if there are no settings
 */
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
  if (mode === 'budget' && reasoning.budgetTokens !== undefined && reasoning.effort !== undefined) {
    report({ field: 'reasoning_effort', how: 'dropped' });
  }
  const amount =
    mode === 'budget' ? budget(reasoning, report, maxOutputTokens, model) : level(reasoning, model, report);
  return filledRecord({ includeThoughts: visible === undefined ? undefined : visible !== 'none', ...amount });
}

function modeOf(model: string): 'budget' | 'level' | 'none' {
  const version = geminiVersion(model) ?? 0;
  if (version >= 3) return 'level';
  return version >= 2.5 ? 'budget' : 'none';
}

type RequestedReasoning = NonNullable<GenerationRequest['reasoning']>;

function budget(
  reasoning: RequestedReasoning,
  report: LossReport,
  maxOutputTokens = MAX_OUTPUT,
  model = '',
): JsonObject | undefined {
  const { min, max } = /pro/i.test(model) ? PRO : FLASH;
  if (reasoning.enabled === false) return { thinkingBudget: min };
  if (reasoning.budgetTokens !== undefined) {
    // Leaves a fifth of the limit for the response.
    const maxShare = Math.floor(maxOutputTokens * 0.8);
    const clamped = Math.max(min, Math.min(reasoning.budgetTokens, maxShare, max));
    if (clamped !== reasoning.budgetTokens) report({ field: 'reasoning_budget', how: 'clamped' });
    return { thinkingBudget: clamped };
  }
  const derived = thinkingBudget(reasoning, maxOutputTokens);
  if (derived !== undefined) return { thinkingBudget: Math.max(min, Math.min(derived, max)) };
  // -1 means dynamic thinking.
  return reasoning.adaptive === true || reasoning.enabled === true ? { thinkingBudget: -1 } : undefined;
}

function level(reasoning: RequestedReasoning, model: string, report: LossReport): JsonObject | undefined {
  const effort = effortOf(reasoning);
  if (effort === undefined) return undefined;
  const thinkingLevel = levelOf(effort, model);
  if (reasoning.budgetTokens !== undefined) report({ field: 'reasoning_budget', how: 'replaced' });
  if (reasoning.effort === undefined && reasoning.budgetTokens !== undefined) return { thinkingLevel };
  if (thinkingLevel.toLowerCase() !== effort) report({ field: 'reasoning_effort', how: 'clamped' });
  return { thinkingLevel };
}

/**
 * Gemini 3 always thinks. Its Pro models do not support `MINIMAL`, and the first one also does not support `MEDIUM`.
 */
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
