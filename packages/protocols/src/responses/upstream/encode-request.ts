import { createHash } from 'node:crypto';
import {
  GatewayError,
  type GenerationRequest,
  type LossReport,
  type Message,
  type TextTarget,
} from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import { knownTtl } from './encode-content.ts';
import { encodeItems } from './encode-items.ts';
import { encodeTools } from './encode-tools.ts';
import { type ModelTraits, modelTraits } from './model-traits.ts';
import type { JsonObject } from '../../json/values.ts';

/** OpenAI's minimum. */
const MIN_OUTPUT_TOKENS = 16;
/** OpenAI's maximum length of `safety_identifier`. */
const MAX_USER_LENGTH = 64;
const SERVICE_TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']);

/**
 * Encodes a request for an upstream. The upstream stores nothing: `store` is off, and reasoning is returned encrypted.
 * @throws GatewayError `unsupported_parameter` for several choices, audio, and unsupported media or tools
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  refuse(request);
  const traits = modelTraits(target.model);
  const { instructions, turns } = liftInstructions(request, traits);
  reportMarks(request, traits, report);
  return {
    model: target.model,
    ...(instructions !== undefined && { instructions }),
    input: encodeItems(turns, {
      target,
      instructionRole: target.quirks.instruction_role ?? (traits.reasons ? 'developer' : 'system'),
      cacheMarks: traits.cacheMarks,
      report,
    }),
    stream: request.stream,
    store: false,
    // Models that do not reason reject this.
    ...(!traits.neverReasons && { include: ['reasoning.encrypted_content'] }),
    ...encodeTools(request, report),
    ...encodeSampling(request, target, traits, report),
    ...encodeText(request),
    ...encodeReasoning(request, target, traits, report),
    ...encodeHints(request, traits, report),
  };
}

function refuse({ choices, modalities }: GenerationRequest): void {
  if (choices !== undefined && choices > 1) {
    throw new GatewayError('unsupported_parameter', 'The upstream of this model supports one choice only.', {
      param: 'n',
    });
  }
  if (modalities?.includes('audio') === true) {
    throw new GatewayError('unsupported_parameter', 'The upstream of this model does not support audio output.', {
      param: 'modalities',
    });
  }
}

/**
 * Clients with a separate field for instructions get `instructions`. Instructions sent as messages stay items, which
 * keep
 * their order and cache marks.
 */
function liftInstructions(
  { protocol, messages }: GenerationRequest,
  { cacheMarks }: ModelTraits,
): { instructions?: string; turns: readonly Message[] } {
  const hasField = protocol === 'messages' || protocol === 'generative-content';
  const firstTurn = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  // A request with only instructions keeps them as input.
  if (!hasField || firstTurn < 1) return { turns: messages };
  const blocks = messages.slice(0, firstTurn).flatMap(({ content }) => content);
  const isPlain = blocks.every((block) => block.type === 'text' && (!cacheMarks || !block.cache));
  if (!isPlain) return { turns: messages };
  const texts = blocks.flatMap((block) => (block.type === 'text' && block.text !== '' ? block.text : []));
  return { ...(texts.length > 0 && { instructions: texts.join('\n\n') }), turns: messages.slice(firstTurn) };
}

/** Reports participant names and cache marks that this protocol or model does not support. */
function reportMarks(
  { messages, tools, cache }: GenerationRequest,
  { cacheMarks }: ModelTraits,
  report: LossReport,
): void {
  if (messages.some(({ name }) => name !== undefined)) report({ field: 'name', how: 'dropped' });
  const isLost = ({ role, content }: Message) =>
    content.some((block) => {
      if (!('cache' in block) || !block.cache) return false;
      const hasPlace = role !== 'assistant' && (block.type === 'text' || block.type === 'media');
      return !cacheMarks || !hasPlace;
    });
  const isAutoLost = cache?.auto !== undefined && !cacheMarks;
  if (isAutoLost || tools.some((tool) => tool.cache) || messages.some(isLost)) {
    report({ field: 'cache_control', how: 'dropped' });
  }
}

function encodeSampling(
  request: GenerationRequest,
  { quirks }: TextTarget,
  { reasons }: ModelTraits,
  report: LossReport,
): JsonObject {
  const { maxOutputTokens, temperature, topP } = request;
  const lost: Readonly<Record<string, unknown>> = {
    top_k: request.topK,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    // A translated response cannot carry log probabilities.
    logprobs: request.topLogprobs,
    stop: request.stop,
    safety_settings: request.safety,
  };
  for (const [field, value] of Object.entries(lost)) if (value !== undefined) report({ field, how: 'dropped' });

  const takesSampling = quirks.sampling ?? (!reasons || effortOf(request.reasoning) === 'none');
  // 1 is the default of every model, so dropping it is no loss.
  if (!takesSampling && (temperature ?? 1) !== 1) report({ field: 'temperature', how: 'dropped' });
  if (!takesSampling && (topP ?? 1) !== 1) report({ field: 'top_p', how: 'dropped' });
  const isTooSmall = maxOutputTokens !== undefined && maxOutputTokens < MIN_OUTPUT_TOKENS;
  if (isTooSmall) report({ field: 'max_output_tokens', how: 'clamped' });
  return {
    ...(maxOutputTokens !== undefined && { max_output_tokens: Math.max(MIN_OUTPUT_TOKENS, maxOutputTokens) }),
    ...(takesSampling && temperature !== undefined && { temperature }),
    ...(takesSampling && topP !== undefined && { top_p: topP }),
  };
}

function encodeText({ format, verbosity }: GenerationRequest): JsonObject {
  const text = { ...(format && { format: encodeFormat(format) }), ...(verbosity !== undefined && { verbosity }) };
  return Object.keys(text).length > 0 ? { text } : {};
}

function encodeFormat(format: NonNullable<GenerationRequest['format']>): JsonObject {
  if (format.type === 'schema') return { ...format, type: 'json_schema' };
  return { type: format.type === 'json' ? 'json_object' : 'text' };
}

function encodeReasoning(
  { reasoning }: GenerationRequest,
  { quirks }: TextTarget,
  { neverReasons }: ModelTraits,
  report: LossReport,
): JsonObject {
  const effort = effortOf(reasoning);
  if (neverReasons || quirks.reasoning_effort === false) {
    // Such a model does not reason anyway.
    if (effort !== undefined && effort !== 'none') report({ field: 'reasoning_effort', how: 'dropped' });
    return {};
  }
  if (reasoning?.budgetTokens !== undefined && reasoning.effort === undefined) {
    report({ field: 'reasoning_budget', how: 'replaced' });
  }
  const isShown = reasoning?.visible === 'summary' || reasoning?.visible === 'full';
  const fields = { ...(effort !== undefined && { effort }), ...(isShown && { summary: 'auto' }) };
  return Object.keys(fields).length > 0 ? { reasoning: fields } : {};
}

function encodeHints(request: GenerationRequest, { cacheMarks }: ModelTraits, report: LossReport): JsonObject {
  const { cache, serviceTier, user, metadata } = request;
  const tier = serviceTier === 'standard_only' ? 'default' : serviceTier;
  const isKnownTier = tier !== undefined && SERVICE_TIERS.has(tier);
  if (tier !== undefined && !isKnownTier) report({ field: 'service_tier', how: 'dropped' });
  return {
    ...(cache?.key !== undefined && { prompt_cache_key: cache.key }),
    // Older models cache automatically and reject this option.
    ...(cache?.auto && cacheMarks && { prompt_cache_options: { mode: 'implicit', ...knownTtl(cache.auto.ttl) } }),
    ...(isKnownTier && { service_tier: tier }),
    ...(user !== undefined && { safety_identifier: shortUser(user) }),
    ...(metadata && { metadata }),
  };
}

/** Claude Code sends a JSON text as user; a hash distinguishes users just as well. */
function shortUser(user: string): string {
  return user.length <= MAX_USER_LENGTH ? user : createHash('sha256').update(user).digest('hex');
}
