import type { ContentBlock, LossReport, MediaBlock, TextTarget, ToolResultBlock } from '@sluice/canonical';
import { safeCallId } from '../../text/call-id.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeMedia } from './encode-media.ts';
import { geminiVersion } from './gemini-version.ts';
import type { JsonObject } from '../../json/values.ts';

/** A call of the previous model turn. */
export interface EarlierCall {
  callId: string;
  name: string;
}

/** The first generation that accepts media inside a function response. */
const MEDIA_IN_RESPONSES = 3;

/**
 * Writes a user's turn. It starts with one `functionResponse` per call of the previous turn, in order, as the API
 * requires:
 * a missing one becomes an error, an unmatched one text.
 */
export function encodeUserTurn(
  blocks: readonly ContentBlock[],
  calls: readonly EarlierCall[],
  target: TextTarget,
  report: LossReport,
): JsonObject[] {
  const results = blocks.filter((block) => block.type === 'tool-result');
  const besides: JsonObject[] = [];
  const responses = calls.map((call) => {
    const at = results.findIndex((result) => result.callId === call.callId);
    const [result] = at === -1 ? [] : results.splice(at, 1);
    return encodeAnswer(call, result, besides, target, report);
  });
  const orphans = results.flatMap((result) => encodeOrphan(result, report));
  const rest = blocks.flatMap((block) => encodeBlock(block, report));
  return [...responses, ...besides, ...orphans, ...rest];
}

function encodeAnswer(
  { callId, name }: EarlierCall,
  result: ToolResultBlock | undefined,
  besides: JsonObject[],
  { quirks, model }: TextTarget,
  report: LossReport,
): JsonObject {
  const media = result ? mediaOf(result).map((block) => encodeMedia(block, report)) : [];
  const takesMedia = (geminiVersion(model) ?? MEDIA_IN_RESPONSES) >= MEDIA_IN_RESPONSES;
  if (!takesMedia) besides.push(...media);
  return {
    functionResponse: {
      ...(quirks.call_ids !== false && { id: safeCallId(callId) }),
      name,
      response: result ? responseOf(result) : { error: 'No result.' },
      ...(takesMedia && media.length > 0 && { parts: media }),
    },
  };
}

/** The API requires an object: JSON objects pass as they are, other text goes under a key that the API defines. */
function responseOf(result: ToolResultBlock): JsonObject {
  const text = textOf(result);
  if (result.isError === true) return { error: text };
  if (/^\s*\{/.test(text)) {
    try {
      const value: unknown = JSON.parse(text);
      if (isRecord(value)) return value;
    } catch {
      // not JSON after all
    }
  }
  return { output: text };
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
      // Only the model thinks and calls.
      report({ field: block.type === 'reasoning' ? 'reasoning' : 'tool_calls', how: 'dropped' });
      return [];
    case 'tool-result':
      return [];
  }
}

function textOf({ content }: ToolResultBlock): string {
  return content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n');
}

function mediaOf({ content }: ToolResultBlock): MediaBlock[] {
  return content.filter((block) => block.type === 'media');
}
