import type { CacheBreakpoint, GenerationRequest, LossReport, TextTarget } from '@sluice/canonical';
import { reportUnreadTokens, someMark } from '../../losses/report-block-losses.ts';
import { encodeCache, isExactTtl, limitCacheMarks } from '../../anthropic-style/cache-control.ts';
import { encodeMaxTokens, encodeSampling } from '../../anthropic-style/encode-sampling.ts';
import type { WireBlock } from './encode-block.ts';
import { encodeThinking } from '../../anthropic-style/encode-thinking.ts';
import { encodeTools } from './encode-tools.ts';
import { encodeTurns } from './encode-turns.ts';
import { encodeJsonResponse } from './json-response.ts';
import { type ModelTraits, modelTraits } from '../../anthropic-style/model-traits.ts';
import { tooManyChoices, unsupportedModality } from '../../text/unsupported.ts';
import { asNonEmptyObject, type JsonObject } from '../../json/values.ts';

/**
 * Encodes the body of `POST /v1/messages`.
 * @throws GatewayError `invalid_request` for an empty conversation, or `unsupported_parameter` for fields without an
 * equivalent
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  rejectUnsupported(request);
  reportDropped(request, report);
  reportUnreadTokens(request.messages, target, report);
  const traits = traitsOf(target);
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
    responseTool: response.tool,
    calledTools: turns.calledTools,
    report,
  });
  const instructions = [response.instruction, instruction].filter((text) => text !== undefined);
  const system: WireBlock[] = [...turns.system, ...instructions.map((text) => ({ type: 'text', text }))];
  const auto = encodeCache(request.cache?.auto);
  if (hasClampedTtl(request)) report({ field: 'cache_control.ttl', how: 'clamped' });
  const marked = [tools ?? [], system, ...turns.messages.map(({ content }) => content)];
  if (limitCacheMarks(marked, auto ? 1 : 0)) report({ field: 'cache_control', how: 'dropped' });
  const { version_in_body: version } = target.quirks;
  return {
    ...(version === undefined ? { model: target.model } : { anthropic_version: version }),
    max_tokens: maxTokens,
    system: system.length > 0 ? system : undefined,
    messages: turns.messages,
    tools,
    tool_choice,
    thinking,
    output_config: asNonEmptyObject({ effort, format: response.format }),
    ...encodeSampling(request, traits, on, report),
    stop_sequences: encodeStop(request, report),
    service_tier: encodeTier(request, report),
    metadata: request.user === undefined ? undefined : { user_id: request.user },
    cache_control: auto,
    stream: request.stream ? true : undefined,
  };
}

const knownTraits = new WeakMap<TextTarget, ModelTraits>();

/** Caches a target's traits, because targets do not change. */
function traitsOf(target: TextTarget): ModelTraits {
  let traits = knownTraits.get(target);
  if (!traits) knownTraits.set(target, (traits = modelTraits(target.model, target.quirks)));
  return traits;
}

function rejectUnsupported({ choices, modalities }: GenerationRequest): void {
  if (choices !== undefined && choices > 1) throw tooManyChoices(1);
  const other = modalities?.find((modality) => modality !== 'text');
  if (other !== undefined) throw unsupportedModality(other);
}

function isClamped(mark: CacheBreakpoint): boolean {
  return !isExactTtl(mark);
}

function hasClampedTtl({ tools, messages, cache }: GenerationRequest): boolean {
  if (cache?.auto && isClamped(cache.auto)) return true;
  return tools.some((tool) => tool.cache && isClamped(tool.cache)) || someMark(messages, isClamped);
}

function reportDropped(request: GenerationRequest, report: LossReport): void {
  const drop = (field: string, value: unknown): void => {
    if (value !== undefined) report({ field, how: 'dropped' });
  };
  drop('seed', request.seed);
  drop('presence_penalty', request.presencePenalty);
  drop('frequency_penalty', request.frequencyPenalty);
  drop('logit_bias', request.logitBias);
  drop('logprobs', request.topLogprobs);
  drop('verbosity', request.verbosity);
  drop('metadata', request.metadata);
  drop('safety_settings', request.safety);
  drop('prompt_cache_key', request.cache?.key);
}

/** The vendor rejects stop sequences without a visible character. */
function encodeStop({ stop = [] }: GenerationRequest, report: LossReport): string[] | undefined {
  const sequences = stop.filter((text) => text.trim() !== '');
  if (sequences.length < stop.length) report({ field: 'stop', how: 'dropped' });
  return sequences.length > 0 ? sequences : undefined;
}

/** Anthropic has only the tiers `auto` and `standard_only`. */
function encodeTier({ serviceTier }: GenerationRequest, report: LossReport): 'auto' | 'standard_only' | undefined {
  if (serviceTier === undefined || serviceTier === 'auto') return serviceTier;
  if (serviceTier === 'default') return 'standard_only';
  report({ field: 'service_tier', how: 'dropped' });
  return undefined;
}
