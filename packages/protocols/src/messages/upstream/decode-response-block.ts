import type { ContentBlock } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { citeAll, decodeCitations } from '../wire/citations.ts';
import { JSON_TOOL } from './json-response.ts';
import { redactedValue } from '../wire/reasoning-token.ts';
import { type JsonObject, asString } from '../../json/values.ts';

/**
 * Reads a complete response block. The input of {@link JSON_TOOL} is the response text; blocks of tools that run at the
 * vendor, and unknown ones, are foreign.
 * @returns undefined for an empty block
 */
export function decodeResponseBlock(
  block: JsonObject,
  { target, newId }: UpstreamResponseContext,
): ContentBlock | undefined {
  const opaqueToken = (value: string) => ({
    opaqueToken: { protocol: target.protocol, account: target.account, model: target.model, value },
  });
  switch (block['type']) {
    case 'text': {
      const text = asString(block['text']) ?? '';
      const citations = citeAll(decodeCitations(block['citations']), text);
      return text === '' ? undefined : { type: 'text', text, ...(citations.length > 0 && { citations }) };
    }
    case 'thinking': {
      const text = asString(block['thinking']) ?? '';
      const signature = asString(block['signature']) ?? '';
      if (text === '' && signature === '') return undefined;
      const paragraphs = text === '' ? [] : [text];
      return { type: 'reasoning', text: paragraphs, isSummary: false, ...(signature !== '' && opaqueToken(signature)) };
    }
    case 'redacted_thinking': {
      const value = redactedValue(asString(block['data']) ?? '');
      return { type: 'reasoning', text: [], isSummary: false, redacted: true, ...opaqueToken(value) };
    }
    case 'tool_use': {
      const input = JSON.stringify(block['input'] ?? {});
      const name = asString(block['name']) ?? '';
      if (name === JSON_TOOL) return { type: 'text', text: input };
      return {
        type: 'tool-call',
        callId: asString(block['id']) ?? newId('toolu_'),
        name,
        kind: 'function',
        arguments: input,
      };
    }
    default:
      return { type: 'foreign', protocol: 'messages', kind: asString(block['type']) ?? 'unknown', raw: block };
  }
}
