import type { GenerationRequest, LossReport, Reasoning } from '@sluice/canonical';
import { encodeMaxTokens, encodeSampling } from '../../anthropic-style/encode-sampling.ts';
import { encodeThinking } from '../../anthropic-style/encode-thinking.ts';
import type { ModelTraits } from '../../anthropic-style/model-traits.ts';
import type { JsonObject } from '../../json/values.ts';
import { effortOf } from '../../text/effort.ts';
import type { ConverseTraits } from './converse-traits.ts';

export interface InferenceInput {
  request: GenerationRequest;
  traits: ConverseTraits;
  unsignedLoop: boolean;
  report: LossReport;
}

export interface EncodedInference {
  maxTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  /** `additionalModelRequestFields`: the model's own fields. */
  fields: JsonObject;
  /** `outputConfig.effort`. */
  effort?: string | undefined;
  thinks: boolean;
}

/** Encodes the output limit, sampling, and reasoning, each in the form that the model accepts. */
export function encodeInference(input: InferenceInput): EncodedInference {
  const { claude } = input.traits;
  return claude ? encodeClaude(input, claude) : encodeOther(input);
}

function encodeClaude({ request, unsignedLoop, report }: InferenceInput, traits: ModelTraits): EncodedInference {
  const maxTokens = encodeMaxTokens(request, traits, report);
  const { reasoning } = request;
  const { thinking, effort, on } = encodeThinking({ reasoning, traits, maxTokens, unsignedLoop, report });
  const { temperature, top_p: topP, top_k } = encodeSampling(request, traits, on, report);
  return {
    // Without a limit, Bedrock applies the model's. A thinking budget must be below an explicit limit.
    maxTokens: request.maxOutputTokens === undefined && !on ? undefined : maxTokens,
    temperature,
    topP,
    fields: { thinking, top_k },
    effort,
    thinks: on,
  };
}

function encodeOther({ request, traits, report }: InferenceInput): EncodedInference {
  const { maxOutputTokens, temperature, topP, topK, reasoning } = request;
  if (temperature !== undefined && temperature > 1) report({ field: 'temperature', how: 'clamped' });
  if (topK !== undefined && !traits.topK) report({ field: 'top_k', how: 'dropped' });
  return {
    maxTokens: maxOutputTokens === undefined ? undefined : Math.max(1, maxOutputTokens),
    temperature: temperature === undefined ? undefined : Math.min(1, temperature),
    topP,
    fields: {
      ...(topK !== undefined && traits.topK && nested(traits.topK, topK)),
      ...encodeReasoning(reasoning, { request, traits, report }),
    },
    thinks: false,
  };
}

function nested([name = '', ...path]: readonly string[], value: unknown): JsonObject {
  return { [name]: path.length === 0 ? value : nested(path, value) };
}

const EFFORTS = { minimal: 'low', low: 'low', medium: 'medium', high: 'high', xhigh: 'high', max: 'high' } as const;

/** Nova 2 has `reasoningConfig`, and OpenAI's open models have `reasoning_effort` (Bedrock user guide, "Reasoning"). */
function encodeReasoning(
  reasoning: Reasoning | undefined,
  { request, traits, report }: Omit<InferenceInput, 'unsignedLoop'>,
): JsonObject {
  if (!reasoning) return {};
  // Reasoning is disabled by default, so it is enabled for a client that wants to see it.
  const isShown = reasoning.visible === 'summary' || reasoning.visible === 'full';
  const isOn = reasoning.enabled === true || reasoning.adaptive === true || isShown;
  const effort = effortOf(reasoning) ?? (isOn ? 'medium' : undefined);
  if (effort === undefined) return {};
  if (traits.reasoning === 'none') {
    if (effort !== 'none') report({ field: 'reasoning', how: 'dropped' });
    return {};
  }
  if (reasoning.effort === undefined && effort !== 'none') report({ field: 'reasoning', how: 'replaced' });
  if (traits.reasoning === 'effort') {
    if (effort === 'none') report({ field: 'reasoning', how: 'replaced' });
    return { reasoning_effort: effort === 'none' ? 'low' : levelOf(effort, report) };
  }
  if (effort === 'none') return { reasoningConfig: { type: 'disabled' } };
  const level = levelOf(effort, report);
  return { reasoningConfig: { type: 'enabled', maxReasoningEffort: novaLevel(level, request, report) } };
}

function levelOf(effort: keyof typeof EFFORTS, report: LossReport): 'low' | 'medium' | 'high' {
  const level = EFFORTS[effort];
  if (effort === 'xhigh' || effort === 'max') report({ field: 'reasoning', how: 'clamped' });
  return level;
}

/** With the effort `high`, Nova 2 rejects a temperature, `topP`, and an output limit. */
function novaLevel(
  level: 'low' | 'medium' | 'high',
  { maxOutputTokens, temperature, topP }: GenerationRequest,
  report: LossReport,
): string {
  if (level !== 'high' || (maxOutputTokens ?? temperature ?? topP) === undefined) return level;
  report({ field: 'reasoning', how: 'clamped' });
  return 'medium';
}
