import type { ContentBlock, LossReport, TextBlock, ToolResultBlock } from '@sluice/canonical';
import type { TokenCodec } from '../../text/token-codec.ts';
import { flatToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { decodeCache } from '../../anthropic-style/cache-control.ts';
import { decodeCitations } from '../wire/citations.ts';
import { decodeDocument, decodeImage, decodeSearchResult, requiredText } from './decode-media.ts';
import { readThinking } from '../wire/reasoning-token.ts';
import { invalidField } from '../../json/json-field.ts';
import { type JsonObject, asString } from '../../json/values.ts';

export interface BlockContext {
  tokenCodec: TokenCodec;
  report: LossReport;
}

/**
 * Decodes a message's content, which is a string or blocks. Unknown blocks and blocks of the vendor's own tools become
 * `foreign`.
 * @param param the content's path, for errors
 * @throws GatewayError `invalid_request`
 */
export function decodeContent(content: unknown, param: string, context: BlockContext): ContentBlock[] {
  if (typeof content === 'string') return [{ type: 'text', text: content }];
  if (content === undefined || content === null) return [];
  if (!Array.isArray(content)) throw invalidField(param, 'must be a string or an array of blocks');
  return content.flatMap((block: unknown, index) => decodeBlock(block, `${param}[${index}]`, context));
}

function decodeBlock(block: unknown, param: string, context: BlockContext): ContentBlock[] {
  if (!isRecord(block)) throw invalidField(param, 'must be a content block');
  const kind = asString(block['type']);
  if (kind === undefined) throw invalidField(`${param}[type]`, 'must be a string');
  switch (kind) {
    case 'text':
      return [decodeText(block, param)];
    case 'image':
      return [decodeImage(block, param)];
    case 'document':
      return decodeDocument(block, param, context.report);
    case 'search_result':
      return [decodeSearchResult(block, param, context.report)];
    case 'thinking': {
      const text = asString(block['thinking']) ?? '';
      const signature = asString(block['signature']) ?? '';
      if (signature !== '') return [readThinking(context.tokenCodec, signature, text, false)];
      return text === '' ? [] : [{ type: 'reasoning', text: [text], isSummary: false }];
    }
    case 'redacted_thinking':
      return [readThinking(context.tokenCodec, requiredText(block, 'data', param), '', true)];
    case 'tool_use':
      return [decodeToolUse(block, param)];
    case 'tool_result':
      return [decodeToolResult(block, param, context)];
    case 'compaction':
      return decodeCompaction(block);
    default:
      return [{ type: 'foreign', protocol: 'messages', kind, raw: block }];
  }
}

function decodeText(block: JsonObject, param: string): TextBlock {
  const citations = decodeCitations(block['citations']);
  return {
    type: 'text',
    text: requiredText(block, 'text', param),
    cache: decodeCache(block['cache_control']),
    citations: citations.length > 0 ? citations : undefined,
  };
}

function decodeToolUse(block: JsonObject, param: string): ContentBlock {
  return {
    type: 'tool-call',
    callId: requiredText(block, 'id', param),
    name: flatToolName(requiredText(block, 'name', param)),
    kind: 'function',
    arguments: JSON.stringify(block['input'] ?? {}),
    cache: decodeCache(block['cache_control']),
  };
}

function decodeToolResult(block: JsonObject, param: string, context: BlockContext): ToolResultBlock {
  return {
    type: 'tool-result',
    callId: requiredText(block, 'tool_use_id', param),
    kind: 'function',
    content: decodeResultContent(block['content'], `${param}[content]`, context),
    isError: block['is_error'] === true || undefined,
    cache: decodeCache(block['cache_control']),
  };
}

function decodeResultContent(content: unknown, param: string, context: BlockContext): ToolResultBlock['content'] {
  if (content === '') return [];
  return decodeContent(content, param, context).flatMap((block): ToolResultBlock['content'] => {
    if (block.type === 'text' || block.type === 'media') return [block];
    if (block.type !== 'foreign') throw invalidField(param, `must not contain a block of type ${block.type}`);
    // Tool search reports a deferred tool that it loaded. Other vendors receive all tools from the beginning.
    const loaded = isRecord(block.raw) ? asString(block.raw['tool_name']) : undefined;
    if (block.kind === 'tool_reference' && loaded !== undefined) {
      return [{ type: 'text', text: `Tool ${flatToolName(loaded)} loaded` }];
    }
    context.report({ field: block.kind, how: 'dropped' });
    return [];
  });
}

/** A compaction summarizes the conversation. Other vendors receive the summary as text. */
function decodeCompaction(block: JsonObject): ContentBlock[] {
  const summary = asString(block['content']);
  if (summary === undefined) return [{ type: 'foreign', protocol: 'messages', kind: 'compaction', raw: block }];
  return [{ type: 'text', text: `Summary of the conversation so far:\n${summary}` }];
}
