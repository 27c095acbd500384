import type { ContentBlock, LossReport, MediaBlock, TextTarget, ToolResultBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeMedia } from './encode-media.ts';
import { geminiVersion } from './gemini-version.ts';
import { type JsonObject, parseObject } from '../../json/values.ts';

/** A call in the previous model turn. */
export interface EarlierCall {
  callId: string;
  name: string;
}

/** From this generation on, Gemini accepts media inside a function response. */
const MIN_MEDIA_VERSION = 3;

/**
 * Encodes a user turn. It starts with one `functionResponse` per call of the previous turn, in order, as the API
 * requires. A missing response becomes an error, and a response without a matching call becomes text.
 */
export function encodeUserTurn(
  blocks: readonly ContentBlock[],
  calls: readonly EarlierCall[],
  target: TextTarget,
  report: LossReport,
): JsonObject[] {
  const results = blocks.filter((block) => block.type === 'tool-result');
  const outerMedia: JsonObject[] = [];
  const responses = calls.map((call) => {
    const index = results.findIndex((result) => result.callId === call.callId);
    const [result] = index === -1 ? [] : results.splice(index, 1);
    return encodeFunctionResponse(call, result, outerMedia, target, report);
  });
  const orphans = results.flatMap((result) => encodeOrphan(result, report));
  const rest = blocks.flatMap((block) => encodeBlock(block, report));
  return [...responses, ...outerMedia, ...orphans, ...rest];
}

function encodeFunctionResponse(
  { callId, name }: EarlierCall,
  result: ToolResultBlock | undefined,
  outerMedia: JsonObject[],
  { quirks, model }: TextTarget,
  report: LossReport,
): JsonObject {
  const media = result ? mediaOf(result).map((block) => encodeMedia(block, report)) : [];
  const acceptsMedia = (geminiVersion(model) ?? MIN_MEDIA_VERSION) >= MIN_MEDIA_VERSION;
  if (!acceptsMedia) outerMedia.push(...media);
  return {
    functionResponse: {
      id: quirks.call_ids === false ? undefined : safeCallId(callId),
      name,
      response: result ? responseOf(result) : { error: 'No result.' },
      parts: acceptsMedia && media.length > 0 ? media : undefined,
    },
  };
}

/** The API requires an object, so other text is put under one of the API's defined keys. */
function responseOf(result: ToolResultBlock): JsonObject {
  const text = textOf(result);
  if (result.isError === true) return { error: text };
  return parseObject(text) ?? { output: text };
}

function encodeOrphan(result: ToolResultBlock, report: LossReport): JsonObject[] {
  const text = { text: `Result of ${result.name ?? 'a tool'}:\n${textOf(result)}` };
  return [text, ...mediaOf(result).map((block) => encodeMedia(block, report))];
}

function encodeBlock(block: ContentBlock, report: LossReport): JsonObject[] {
  switch (block.type) {
    case 'text':
    case 'refusal':
      return block.text === '' ? [] : [{ text: block.text }];
    case 'media':
      return [encodeMedia(block, report)];
    case 'foreign':
      if (block.protocol === 'generative-content' && isRecord(block.raw)) return [block.raw];
      report({ field: block.kind, how: 'dropped' });
      return [];
    case 'reasoning':
    case 'tool-call':
      // Only model turns can contain reasoning and calls.
      report({ field: block.type === 'reasoning' ? 'reasoning' : 'tool_calls', how: 'dropped' });
      return [];
    case 'tool-result':
      return [];
  }
}

function textOf({ content }: ToolResultBlock): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
}

function mediaOf({ content }: ToolResultBlock): MediaBlock[] {
  return content.filter((block) => block.type === 'media');
}
