import type { CacheBreakpoint, GenerationRequest, LossReport, TextFormat, TextTarget } from '@sluice/canonical';
import { encodeCache, isExactTtl, limitCacheMarks, type WireCache } from '../../anthropic-style/cache-control.ts';
import { closedSchema } from '../../anthropic-style/closed-schema.ts';
import { asNonEmptyObject, type JsonObject } from '../../json/values.ts';
import { DEFAULT_FORMAT_NAME, describedSchema } from '../../losses/described-schema.ts';
import { reportUnreadTokens, someMark } from '../../losses/report-block-losses.ts';
import { tooManyChoices, unsupportedModality } from '../../text/unsupported.ts';
import { encodeServiceTier } from '../wire/service-tier.ts';
import { STOP_SEQUENCE } from '../wire/stop-reason.ts';
import { type ConverseTraits, converseTraits } from './converse-traits.ts';
import { encodeInference } from './encode-inference.ts';
import { encodeTools } from './encode-tools.ts';
import { encodeTurns } from './encode-turns.ts';

/**
 * Encodes the body of `POST /model/{model}/converse` and `/converse-stream`.
 * @throws GatewayError `invalid_request` for an empty conversation, or `unsupported_parameter` for fields without an
 * equivalent
 */
export function encodeRequest(request: GenerationRequest, target: TextTarget, report: LossReport): JsonObject {
  rejectUnsupported(request);
  reportDropped(request, report);
  reportUnreadTokens(request.messages, target, report);
  const traits = converseTraits(target);
  const turns = encodeTurns(request.messages, target, report);
  const { unsignedLoop, calledTools } = turns;
  const { fields, effort, thinks, ...inference } = encodeInference({ request, traits, unsignedLoop, report });
  const format = encodeFormat(request.format, traits, report);
  const { tools, toolChoice, instruction } = encodeTools({ request, traits, thinks, calledTools, report });
  const added = [format.instruction, instruction].filter((text) => text !== undefined);
  const system: Marked[] = [...turns.system, ...added.map((text) => ({ block: { text } }))];
  limitCaches(request, traits, { tools, system, turns: turns.messages.map(({ content }) => content) }, report);
  const stopSequences = encodeStop(request, report);
  const hasStopField = stopSequences !== undefined && traits.claude !== undefined;
  return {
    messages: turns.messages.map(({ role, content }) => ({ role, content: withCachePoints(content) })),
    system: system.length > 0 ? withCachePoints(system) : undefined,
    inferenceConfig: asNonEmptyObject({ ...inference, stopSequences }),
    toolConfig: tools.length > 0 ? { tools: withCachePoints(tools), toolChoice } : undefined,
    additionalModelRequestFields: asNonEmptyObject(fields),
    additionalModelResponseFieldPaths: hasStopField ? [`/${STOP_SEQUENCE}`] : undefined,
    outputConfig: asNonEmptyObject({ textFormat: format.textFormat, effort }),
    requestMetadata: encodeMetadata(request, report),
    serviceTier: encodeServiceTier(request.serviceTier, report),
  };
}

function rejectUnsupported({ choices, modalities }: GenerationRequest): void {
  if (choices !== undefined && choices > 1) throw tooManyChoices(1);
  const other = modalities?.find((modality) => modality !== 'text');
  if (other !== undefined) throw unsupportedModality(other);
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
  drop('safety_settings', request.safety);
  drop('prompt_cache_key', request.cache?.key);
  drop('user', request.user);
}

interface Marked extends WireCache {
  block: JsonObject;
}

interface MarkedLists {
  tools: Marked[];
  system: Marked[];
  turns: Marked[][];
}

/** Adds the automatic cache point to the last block, and removes those that the model does not accept. */
function limitCaches(
  request: GenerationRequest,
  { cachePoints }: ConverseTraits,
  { tools, system, turns }: MarkedLists,
  report: LossReport,
): void {
  const last = turns.at(-1)?.at(-1);
  const auto = encodeCache(request.cache?.auto);
  if (last && auto) last.cache_control ??= auto;
  if (hasClampedTtl(request)) report({ field: 'cache_control.ttl', how: 'clamped' });
  const refused = cachePoints === 'nowhere' ? [tools, system, ...turns] : cachePoints === 'everywhere' ? [] : [tools];
  const removed = refused.flat().filter((one) => one.cache_control !== undefined);
  for (const one of removed) delete one.cache_control;
  const isOverLimit = limitCacheMarks([tools, system, ...turns], 0);
  if (removed.length > 0 || isOverLimit) report({ field: 'cache_control', how: 'dropped' });
}

function isClamped(mark: CacheBreakpoint): boolean {
  return !isExactTtl(mark);
}

function hasClampedTtl({ tools, messages, cache }: GenerationRequest): boolean {
  if (cache?.auto && isClamped(cache.auto)) return true;
  return tools.some((tool) => tool.cache && isClamped(tool.cache)) || someMark(messages, isClamped);
}

function withCachePoints(blocks: readonly Marked[]): JsonObject[] {
  return blocks.flatMap(({ block, cache_control: mark }) =>
    mark === undefined ? [block] : [block, { cachePoint: { type: 'default', ttl: mark.ttl } }],
  );
}

interface EncodedFormat {
  textFormat?: JsonObject;
  /** Text to add to the instructions, for models without native schema support. */
  instruction?: string;
}

function encodeFormat(format: TextFormat | undefined, traits: ConverseTraits, report: LossReport): EncodedFormat {
  if (!format || format.type === 'text') return {};
  if (format.type === 'json') {
    report({ field: 'response_format', how: 'replaced' });
    return { instruction: 'Respond with a single JSON object and nothing else: no prose, no code fence.' };
  }
  if (!traits.jsonSchema) {
    report({ field: 'response_format', how: 'replaced' });
    const schema = JSON.stringify(describedSchema(format, report));
    return {
      instruction: `Respond with JSON that fits this schema and nothing else: no prose, no code fence.\n${schema}`,
    };
  }
  const { name, description, schema } = format;
  const jsonSchema = {
    schema: JSON.stringify(closedSchema(schema)),
    name: name === DEFAULT_FORMAT_NAME ? undefined : name,
    description,
  };
  return { textFormat: { type: 'json_schema', structure: { jsonSchema } } };
}

/** Converse rejects stop sequences without a visible character. */
function encodeStop({ stop = [] }: GenerationRequest, report: LossReport): string[] | undefined {
  const sequences = stop.filter((text) => text.trim() !== '');
  if (sequences.length < stop.length) report({ field: 'stop', how: 'dropped' });
  return sequences.length > 0 ? sequences : undefined;
}

/** The limits of `requestMetadata` (Bedrock API reference, `Converse`). */
const MAX_METADATA = 16;
const METADATA_TEXT = /^[a-zA-Z0-9\s:_@$#=/+,.-]{0,256}$/;

/** Metadata is for the operator's invocation logs. Values that Bedrock rejects are dropped. */
function encodeMetadata({ metadata }: GenerationRequest, report: LossReport): Record<string, string> | undefined {
  if (!metadata) return undefined;
  const entries = Object.entries(metadata);
  const valid = entries.filter(([key, value]) => key !== '' && METADATA_TEXT.test(key) && METADATA_TEXT.test(value));
  const sent = valid.slice(0, MAX_METADATA);
  if (sent.length < entries.length) report({ field: 'metadata', how: 'dropped' });
  return sent.length > 0 ? Object.fromEntries(sent) : undefined;
}
