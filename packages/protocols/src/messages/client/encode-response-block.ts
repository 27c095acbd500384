import type { ContentBlock, MediaBlock } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { argumentsObject, functionArguments } from '../../text/tool-arguments.ts';
import { clientToolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { encodeCitations } from './encode-citations.ts';
import { wrapThinking } from '../wire/reasoning-token.ts';
import type { JsonObject } from '../../json/values.ts';

export type WireResponseBlock =
  | { type: 'text'; text: string; citations: JsonObject[] | null }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | { type: 'tool_use'; id: string; name: string; input: JsonObject; caller: { type: 'direct' } }
  | (JsonObject & { type: string });

/**
 * Encodes a response block. A thinking block's signature contains the vendor's token.
 * @returns undefined for empty texts and for foreign blocks of other protocols
 */
export function encodeResponseBlock(block: ContentBlock, context: ResponseContext): WireResponseBlock | undefined {
  switch (block.type) {
    case 'text': {
      const { text } = block;
      if (text !== '') return { type: 'text', text, citations: encodeCitations(block.citations, text, context) };
      if (block.citations) context.lost?.('citations');
      return undefined;
    }
    case 'refusal':
      return block.text === '' ? undefined : { type: 'text', text: block.text, citations: null };
    case 'reasoning':
      return wrapThinking(context.tokenCodec, block);
    case 'tool-call':
      return { ...toolUseHead(block, context), input: argumentsObject(functionArguments(block)) };
    case 'media':
      context.lost?.(block.kind);
      return { type: 'text', text: mediaText(block), citations: null };
    case 'foreign':
      if (block.protocol === 'messages' && isRecord(block.raw)) return { ...block.raw, type: block.kind };
      context.lost?.(block);
      return undefined;
    case 'tool-result':
      return undefined;
  }
}

export function toolUseHead({ callId, name }: { callId: string; name: string }, { request }: ResponseContext) {
  return {
    type: 'tool_use' as const,
    id: callId,
    name: clientToolName(request.tools, name).name,
    input: {},
    caller: { type: 'direct' as const },
  };
}

/** Describes media as text, because this protocol's responses contain no media. */
function mediaText({ kind, source, transcript }: MediaBlock): string {
  if (transcript !== undefined && transcript !== '') return transcript;
  if (source.from === 'text') return source.text;
  if (source.from === 'url' && /^https?:/i.test(source.url)) return `![${kind}](${source.url})`;
  return `[The model returned ${kind} data, which this protocol cannot represent.]`;
}
