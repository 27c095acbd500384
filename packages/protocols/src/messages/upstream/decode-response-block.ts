import type { ContentBlock, OpaqueToken } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { citeAll, decodeCitations } from '../wire/citations.ts';
import { JSON_TOOL } from './json-response.ts';
import { redactedValue } from '../wire/reasoning-token.ts';
import { type JsonObject, asString } from '../../json/values.ts';

/**
 * Decodes a complete block. The input of a {@link JSON_TOOL} call becomes the response text. Unknown blocks become
 * `foreign`.
 * @returns undefined for an empty block
 */
export function decodeResponseBlock(
  block: JsonObject,
  { target, newId }: UpstreamResponseContext,
): ContentBlock | undefined {
  const tokenOf = (value: string): OpaqueToken => {
    const { protocol, account, model } = target;
    return { protocol, account, model, value };
  };
  switch (block['type']) {
    case 'text': {
      const text = asString(block['text']) ?? '';
      const citations = citeAll(decodeCitations(block['citations']), text);
      return text === '' ? undefined : { type: 'text', text, citations: citations.length > 0 ? citations : undefined };
    }
    case 'thinking': {
      const text = asString(block['thinking']) ?? '';
      const signature = asString(block['signature']) ?? '';
      if (text === '' && signature === '') return undefined;
      const opaqueToken = signature === '' ? undefined : tokenOf(signature);
      return { type: 'reasoning', text: text === '' ? [] : [text], isSummary: false, opaqueToken };
    }
    case 'redacted_thinking': {
      const value = redactedValue(asString(block['data']) ?? '');
      return { type: 'reasoning', text: [], isSummary: false, redacted: true, opaqueToken: tokenOf(value) };
    }
    case 'tool_use': {
      const input = JSON.stringify(block['input'] ?? {});
      const name = asString(block['name']) ?? '';
      if (name === JSON_TOOL) return { type: 'text', text: input };
      const callId = asString(block['id']) ?? newId('toolu_');
      return { type: 'tool-call', callId, name, kind: 'function', arguments: input };
    }
    default:
      return { type: 'foreign', protocol: 'messages', kind: asString(block['type']) ?? 'unknown', raw: block };
  }
}
