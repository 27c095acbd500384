import type { GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { encodeCache, limitCacheMarks } from '../wire/cache-control.ts';
import type { WireBlock } from './encode-block.ts';
import { encodeThinking } from './encode-thinking.ts';
import { encodeTools } from './encode-tools.ts';
import { encodeTurns } from './encode-turns.ts';
import { encodeJsonResponse } from './json-response.ts';
import { type ModelTraits, modelTraits } from '../wire/model-traits.ts';
import { unsupportedField } from '../wire/unsupported-field.ts';
import type { JsonObject } from '../../json/values.ts';

/** With thinking, the vendor rejects lower values. */
const MIN_THINKING_TOP_P = 0.95;

/**
 * Writes the body of `POST /v1/messages`.
 * @throws GatewayError `invalid_request` for an empty conversation, `unsupported_parameter` for what has no equivalent
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  refuseUncarried(request);
  reportUncarried(request, report);
  const traits = modelTraits(target.model, target.quirks);
  const maxTokens = encodeMaxTokens(request, traits, report);
  const turns = encodeTurns(request.messages, target, traits.systemTurns, report);
  const { thinking, effort, on } = encodeThinking({
    reasoning: request.reasoning,
    traits,
    maxTokens,
    unsignedLoop: turns.unsignedLoop,
    report,
  });
  const response = encodeJsonResponse(request, traits, report);
  const { tools, tool_choice, instruction } = encodeTools({
    request,
    traits,
    thinks: on,
    response: response.tool,
    called: turns.called,
    report,
  });
  const said = [response.instruction, instruction].filter((words) => words !== undefined);
  const system: WireBlock[] = [...turns.system, ...said.map((text) => ({ type: 'text', text }))];
  const auto = encodeCache(request.cache?.auto);
  const marked = [...(tools ?? []), ...system, ...turns.messages.flatMap(({ content }) => content)];
  if (limitCacheMarks(marked, auto.cache_control ? 1 : 0)) report({ field: 'cache_control', how: 'dropped' });
  const outputConfig = {
    ...(effort !== undefined && { effort }),
    ...(response.format && { format: response.format }),
  };
  return {
    model: target.model,
    max_tokens: maxTokens,
    ...(system.length > 0 && { system }),
    messages: turns.messages,
    ...(tools && { tools }),
    ...(tool_choice && { tool_choice }),
    ...(thinking && { thinking }),
    ...(Object.keys(outputConfig).length > 0 && { output_config: outputConfig }),
    ...encodeSampling(request, traits, on, report),
    ...encodeStop(request, report),
    ...encodeTier(request, report),
    ...(request.user !== undefined && { metadata: { user_id: request.user } }),
    ...auto,
    ...(request.stream && { stream: true }),
  };
}

function refuseUncarried({ choices, modalities }: GenerationRequest): void {
  if (choices !== undefined && choices > 1) {
    throw unsupportedField('n', 'n must be 1: the upstream of this model returns one choice per request.');
  }
  const other = modalities?.find((modality) => modality !== 'text');
  if (other !== undefined) {
    throw unsupportedField('modalities', `modalities must contain only text for this model; got ${other}.`);
  }
}

function reportUncarried(request: GenerationRequest, report: LossReport): void {
  const fields: Readonly<Record<string, unknown>> = {
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    logprobs: request.topLogprobs,
    verbosity: request.verbosity,
    metadata: request.metadata,
    safety_settings: request.safety,
    prompt_cache_key: request.cache?.key,
  };
  for (const [field, value] of Object.entries(fields)) {
    if (value !== undefined) report({ field, how: 'dropped' });
  }
}

function encodeMaxTokens(request: GenerationRequest, traits: ModelTraits, report: LossReport): number {
  const wanted = request.maxOutputTokens;
  if (wanted === undefined) return traits.defaultMaxTokens;
  const max = Math.max(traits.maxOutput ?? wanted, traits.defaultMaxTokens);
  if (wanted <= max || traits.maxOutput === undefined) return Math.max(1, wanted);
  report({ field: 'max_tokens', how: 'clamped' });
  return max;
}

/** 1 is the default of every model, so omitting it is not a loss. */
function encodeSampling(request: GenerationRequest, traits: ModelTraits, thinks: boolean, report: LossReport) {
  const { temperature, topP, topK } = request;
  const warm = traits.sampling && !thinks && temperature !== undefined;
  const pair = warm && !traits.bothSampling;
  const topPFits = traits.sampling && !pair && (!thinks || (topP ?? 1) >= MIN_THINKING_TOP_P);
  if (temperature !== undefined && temperature > 1 && warm) report({ field: 'temperature', how: 'clamped' });
  if (!warm && temperature !== undefined && temperature !== 1) report({ field: 'temperature', how: 'dropped' });
  if (!topPFits && topP !== undefined && topP !== 1) report({ field: 'top_p', how: 'dropped' });
  const topKFits = traits.sampling && !thinks;
  if (!topKFits && topK !== undefined) report({ field: 'top_k', how: 'dropped' });
  return {
    ...(warm && { temperature: Math.min(1, temperature) }),
    ...(topPFits && topP !== undefined && { top_p: topP }),
    ...(topKFits && topK !== undefined && { top_k: topK }),
  };
}

/** The vendor rejects sequences without a visible character. */
function encodeStop({ stop }: GenerationRequest, report: LossReport): { stop_sequences?: string[] } {
  const kept = (stop ?? []).filter((text) => text.trim() !== '');
  if (kept.length < (stop?.length ?? 0)) report({ field: 'stop', how: 'dropped' });
  return kept.length > 0 ? { stop_sequences: kept } : {};
}

/** Anthropic has its automatic and standard tiers only. */
function encodeTier(
  { serviceTier }: GenerationRequest,
  report: LossReport,
): { service_tier?: 'auto' | 'standard_only' } {
  if (serviceTier === undefined) return {};
  if (serviceTier === 'auto') return { service_tier: 'auto' };
  if (serviceTier === 'default') return { service_tier: 'standard_only' };
  report({ field: 'service_tier', how: 'dropped' });
  return {};
}
