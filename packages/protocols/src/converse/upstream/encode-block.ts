import type {
  ContentBlock,
  LossReport,
  MediaBlock,
  TextTarget,
  ToolCallBlock,
  ToolResultBlock,
} from '@sluice/canonical';
import { encodeCache, type WireCache } from '../../anthropic-style/cache-control.ts';
import type { JsonObject } from '../../json/values.ts';
import { reportCitations } from '../../losses/report-citations.ts';
import { safeCallId } from '../../text/call-id.ts';
import { canReadToken } from '../../text/token-codec.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { restoreReasoning } from '../wire/reasoning-token.ts';
import { encodeMedia } from './encode-media.ts';

/** A block of Converse, with the cache point that follows it. */
export interface MarkedBlock extends WireCache {
  block: JsonObject;
}

/** Converse rejects texts without a visible character. */
export function canEncode(block: ContentBlock, target: TextTarget, report: LossReport): boolean {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text.trim() !== '';
    case 'reasoning':
      if (canReadToken(block.opaqueToken, target)) return true;
      report({ field: 'reasoning', how: 'dropped' });
      return false;
    case 'foreign':
      report({ field: block.kind, how: 'dropped' });
      return false;
    case 'media':
    case 'tool-call':
    case 'tool-result':
      return true;
  }
}

/**
 * Encodes a block that {@link canEncode} accepts.
 * @throws GatewayError `unsupported_parameter` for media that Converse does not accept
 */
export function encodeBlock(block: ContentBlock, report: LossReport): MarkedBlock {
  switch (block.type) {
    case 'text':
      reportCitations(block, report);
      return { block: { text: block.text }, cache_control: encodeCache(block.cache) };
    case 'refusal':
      return { block: { text: block.text } };
    case 'reasoning':
      // `canEncode` guarantees a token.
      return {
        block: { reasoningContent: restoreReasoning(block, block.opaqueToken ?? { protocol: 'converse', value: '' }) },
      };
    case 'media':
      return { block: mediaOf(block, report), cache_control: encodeCache(block.cache) };
    case 'tool-call':
      return { block: { toolUse: encodeCall(block, report) }, cache_control: encodeCache(block.cache) };
    case 'tool-result':
      return encodeResult(block, report);
    case 'foreign':
      return { block: {} };
  }
}

function mediaOf(block: MediaBlock, report: LossReport): JsonObject {
  // `auto` is every vendor's default.
  if (block.detail !== undefined && block.detail !== 'auto') report({ field: 'detail', how: 'dropped' });
  if (block.transcript !== undefined) report({ field: 'transcript', how: 'dropped' });
  if (block.name !== undefined && block.kind !== 'document') report({ field: 'filename', how: 'dropped' });
  return encodeMedia(block);
}

function encodeCall(block: ToolCallBlock, report: LossReport): JsonObject {
  return {
    toolUseId: safeCallId(block.callId),
    name: flatToolName(block.name),
    input: argumentsObject(functionArguments(block), report),
  };
}

/** A result must not be empty. Only a result of an error has a status, because some models reject the field. */
function encodeResult({ callId, content, isError, cache }: ToolResultBlock, report: LossReport): MarkedBlock {
  const blocks = content.filter((block) => block.type !== 'text' || block.text.trim() !== '');
  const marks = [cache, ...blocks.map((block) => block.cache)].filter((mark) => mark !== undefined);
  // A cache point can only follow the result.
  if (marks.length > 1) report({ field: 'cache_control', how: 'clamped' });
  const parts = blocks.map((block) => (block.type === 'text' ? { text: block.text } : mediaOf(block, report)));
  return {
    block: {
      toolResult: {
        toolUseId: safeCallId(callId),
        content: parts.length > 0 ? parts : [{ text: '(no output)' }],
        status: isError === true ? 'error' : undefined,
      },
    },
    cache_control: encodeCache(cache ?? marks.at(-1)),
  };
}
