import { createHash } from 'node:crypto';
import { tooManyChoices, unsupportedModality } from '../../text/unsupported.ts';
import {
  type CacheBreakpoint,
  type ContentBlock,
  type GenerationRequest,
  type LossReport,
  type Message,
  type TextTarget,
} from '@sluice/canonical';
import { effortOf } from '../../text/effort.ts';
import { reportUnreadTokens, someBlock, someMark } from '../../losses/report-block-losses.ts';
import { visibleReasoning } from '../../text/visible-reasoning.ts';
import { knownTtl } from './encode-content.ts';
import { encodeItems } from './encode-items.ts';
import { encodeTools } from './encode-tools.ts';
import { type ModelTraits, modelTraits } from './model-traits.ts';
import type { JsonObject } from '../../json/values.ts';

/** OpenAI's limits. */
const MIN_OUTPUT_TOKENS = 16;
const MAX_USER_LENGTH = 64;
const SERVICE_TIERS = new Set(['auto', 'default', 'flex', 'scale', 'priority', 'fast', 'ultrafast']);

/**
 * Encodes a request for an upstream. The upstream stores nothing: `store` is false, and reasoning is returned
 * encrypted.
 * @throws GatewayError `unsupported_parameter` for several choices, audio, and unsupported media or tools
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  rejectUnsupported(request);
  const traits = modelTraits(target.model);
  const { instructions, turns } = liftInstructions(request, traits);
  reportMarks(request, traits, report);
  reportUnreadTokens(request.messages, target, report);
  return {
    model: target.model,
    instructions,
    input: encodeItems(turns, {
      target,
      instructionRole: target.quirks.instruction_role ?? (traits.reasons ? 'developer' : 'system'),
      cacheMarks: traits.cacheMarks,
      report,
    }),
    stream: request.stream,
    store: false,
    // Models without reasoning reject this field.
    include: traits.neverReasons ? undefined : ['reasoning.encrypted_content'],
    ...encodeTools(request, report),
    ...encodeSampling(request, target, traits, report),
    text: encodeText(request),
    reasoning: encodeReasoning(request, target, traits, report),
    ...encodeHints(request, traits, report),
  };
}

function rejectUnsupported({ choices, modalities }: GenerationRequest): void {
  if (choices !== undefined && choices > 1) throw tooManyChoices(1);
  if (modalities?.includes('audio') === true) throw unsupportedModality('audio');
}

interface Conversation {
  instructions?: string;
  turns: readonly Message[];
}

/**
 * If the client's protocol has a field for instructions and the field contains one text, that text becomes
 * `instructions`. Several texts, and instructions sent as messages, become items, which preserve boundaries, order, and
 * cache marks.
 */
function liftInstructions({ protocol, messages }: GenerationRequest, { cacheMarks }: ModelTraits): Conversation {
  const hasField = protocol === 'messages' || protocol === 'generative-content';
  const firstTurn = messages.findIndex(({ role }) => role !== 'system' && role !== 'developer');
  // If a request has only instructions, they are sent as input.
  if (!hasField || firstTurn < 1) return { turns: messages };
  const blocks = messages.slice(0, firstTurn).flatMap(({ content }) => content);
  const full = blocks.filter((block) => block.type !== 'text' || block.text !== '');
  const [first] = full;
  if (!first) return { turns: messages.slice(firstTurn) };
  // A single string cannot preserve the boundaries of several texts.
  if (full.length > 1 || first.type !== 'text' || (cacheMarks && first.cache)) return { turns: messages };
  return { instructions: first.text, turns: messages.slice(firstTurn) };
}

/** Only documents sent as bytes or text have a name. */
function losesName(block: ContentBlock): boolean {
  return (
    block.type === 'media' && block.name !== undefined && (block.kind !== 'document' || block.source.from === 'url')
  );
}

function isClamped({ ttl }: CacheBreakpoint): boolean {
  return ttl !== undefined && knownTtl(ttl) === undefined;
}

/** Reports names of participants and files, and cache marks that the protocol or the model does not support. */
function reportMarks(
  { messages, tools, cache }: GenerationRequest,
  { cacheMarks }: ModelTraits,
  report: LossReport,
): void {
  if (messages.some(({ name }) => name !== undefined)) report({ field: 'name', how: 'dropped' });
  if (someBlock(messages, losesName)) report({ field: 'filename', how: 'dropped' });
  const losesCacheMark = ({ role, content }: Message) =>
    content.some((block) => {
      if (block.type === 'tool-result' && !cacheMarks && block.content.some(({ cache: mark }) => mark)) return true;
      if (!('cache' in block) || !block.cache) return false;
      const isInput = role !== 'assistant' && (block.type === 'text' || block.type === 'media');
      return !cacheMarks || !isInput;
    });
  if (cacheMarks && ((cache?.auto && isClamped(cache.auto)) || someMark(messages, isClamped))) {
    report({ field: 'cache_control.ttl', how: 'clamped' });
  }
  const losesAutoCache = cache?.auto !== undefined && !cacheMarks;
  if (losesAutoCache || tools.some((tool) => tool.cache) || messages.some(losesCacheMark)) {
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
  const dropped: Readonly<Record<string, unknown>> = {
    top_k: request.topK,
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    logit_bias: request.logitBias,
    // A translated response cannot contain log probabilities.
    logprobs: request.topLogprobs,
    stop: request.stop,
    safety_settings: request.safety,
  };
  for (const [field, value] of Object.entries(dropped)) if (value !== undefined) report({ field, how: 'dropped' });

  const supportsSampling = quirks.sampling ?? (!reasons || effortOf(request.reasoning) === 'none');
  // 1 is every model's default, so dropping it is not a loss.
  if (!supportsSampling && (temperature ?? 1) !== 1) report({ field: 'temperature', how: 'dropped' });
  if (!supportsSampling && (topP ?? 1) !== 1) report({ field: 'top_p', how: 'dropped' });
  const isTooSmall = maxOutputTokens !== undefined && maxOutputTokens < MIN_OUTPUT_TOKENS;
  if (isTooSmall) report({ field: 'max_output_tokens', how: 'clamped' });
  return {
    max_output_tokens: isTooSmall ? MIN_OUTPUT_TOKENS : maxOutputTokens,
    temperature: supportsSampling ? temperature : undefined,
    top_p: supportsSampling ? topP : undefined,
  };
}

function encodeText({ format, verbosity }: GenerationRequest): JsonObject | undefined {
  if (!format && verbosity === undefined) return undefined;
  return { format: format && encodeFormat(format), verbosity };
}

function encodeFormat(format: NonNullable<GenerationRequest['format']>): JsonObject {
  if (format.type === 'schema') return { ...format, type: 'json_schema' };
  return { type: format.type === 'json' ? 'json_object' : 'text' };
}

function encodeReasoning(
  request: GenerationRequest,
  { quirks }: TextTarget,
  { reasons, neverReasons }: ModelTraits,
  report: LossReport,
): JsonObject | undefined {
  const { reasoning } = request;
  const effort = effortOf(reasoning);
  const visible = visibleReasoning(request);
  const isShown = visible === 'summary' || visible === 'full';
  if (neverReasons || quirks.reasoning_effort === false) {
    // The model does not reason, so dropping `none` is not a loss.
    if (effort !== undefined && effort !== 'none') report({ field: 'reasoning_effort', how: 'dropped' });
    else if (effort === undefined && (isShown || reasoning?.enabled === true || reasoning?.adaptive === true))
      report({ field: 'reasoning', how: 'dropped' });
    return undefined;
  }
  if (reasoning?.budgetTokens !== undefined) report({ field: 'reasoning_budget', how: 'replaced' });
  // OpenAI's reasoning models reason by default.
  if (effort === undefined && reasoning?.enabled === true && !reasons) report({ field: 'reasoning', how: 'dropped' });
  if (effort === undefined && !isShown) return undefined;
  return { effort, summary: isShown ? 'auto' : undefined };
}

function encodeHints(request: GenerationRequest, { cacheMarks }: ModelTraits, report: LossReport): JsonObject {
  const { cache, serviceTier, user, metadata } = request;
  const tier = serviceTier === 'standard_only' ? 'default' : serviceTier;
  const isKnownTier = tier !== undefined && SERVICE_TIERS.has(tier);
  if (tier !== undefined && !isKnownTier) report({ field: 'service_tier', how: 'dropped' });
  return {
    prompt_cache_key: cache?.key,
    // Older models cache automatically and reject this option.
    prompt_cache_options: cache?.auto && cacheMarks ? { mode: 'implicit', ttl: knownTtl(cache.auto.ttl) } : undefined,
    service_tier: isKnownTier ? tier : undefined,
    safety_identifier: user === undefined ? undefined : shortUser(user),
    metadata,
  };
}

/** Hashes long user ids, which still distinguishes users. Claude Code sends JSON text as the user id. */
function shortUser(user: string): string {
  return user.length <= MAX_USER_LENGTH ? user : createHash('sha256').update(user).digest('hex');
}
