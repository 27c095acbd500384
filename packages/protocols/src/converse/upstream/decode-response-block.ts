import type { ContentBlock, OpaqueToken, TextTarget } from '@sluice/canonical';
import type { UpstreamResponseContext } from '../../contracts/text-protocol.ts';
import { isRecord } from '../../json/is-record.ts';
import { asObjects, asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';
import { citeAll, decodeCitation } from '../wire/citations.ts';
import { redactedValue } from '../wire/reasoning-token.ts';

/**
 * Decodes a complete block, whose only member names its type. Unknown blocks become `foreign`.
 * @returns undefined for an empty block
 */
export function decodeResponseBlock(block: JsonObject, context: UpstreamResponseContext): ContentBlock | undefined {
  const text = asString(block['text']);
  if (text !== undefined) return text === '' ? undefined : { type: 'text', text };
  if (isRecord(block['toolUse'])) return decodeCall(block['toolUse'], context);
  if (isRecord(block['reasoningContent'])) return decodeReasoning(block['reasoningContent'], context.target);
  if (isRecord(block['citationsContent'])) return decodeCited(block['citationsContent']);
  if (isRecord(block['image'])) return decodeImage(block['image']);
  const [kind = 'unknown'] = Object.keys(block);
  return { type: 'foreign', protocol: 'converse', kind, raw: block };
}

function decodeCall({ toolUseId, name, input }: JsonObject, { newId }: UpstreamResponseContext): ContentBlock {
  return {
    type: 'tool-call',
    callId: asString(toolUseId) ?? newId('tooluse_'),
    name: asString(name) ?? '',
    kind: 'function',
    arguments: JSON.stringify(input ?? {}),
  };
}

function decodeReasoning(content: JsonObject, target: TextTarget): ContentBlock | undefined {
  const { text, signature } = objectOrEmpty(content['reasoningText']);
  return reasoningBlock(
    {
      text: asString(text) ?? '',
      signature: asString(signature) ?? '',
      redacted: asString(content['redactedContent']),
    },
    target,
  );
}

/**
 * Creates a reasoning block.
 * @param redacted base64 of the hidden reasoning; undefined if the reasoning is visible
 * @returns undefined if there is neither text nor a token
 */
export function reasoningBlock(
  { text, signature, redacted }: { text: string; signature: string; redacted: string | undefined },
  { protocol, account, model }: TextTarget,
): ContentBlock | undefined {
  const tokenOf = (value: string): OpaqueToken => ({ protocol, account, model, value });
  if (redacted !== undefined) {
    const opaqueToken = tokenOf(redactedValue(redacted));
    return { type: 'reasoning', text: [], isSummary: false, redacted: true, opaqueToken };
  }
  if (text === '' && signature === '') return undefined;
  const opaqueToken = signature === '' ? undefined : tokenOf(signature);
  return { type: 'reasoning', text: text === '' ? [] : [text], isSummary: false, opaqueToken };
}

function decodeCited(content: JsonObject): ContentBlock | undefined {
  const text = asObjects(content['content'])
    .flatMap((part) => asString(part['text']) ?? [])
    .join('');
  const citations = asObjects(content['citations']).flatMap((citation) => decodeCitation(citation) ?? []);
  return text === '' ? undefined : { type: 'text', text, citations: citeAll(citations, text) };
}

function decodeImage({ format, source }: JsonObject): ContentBlock | undefined {
  const data = asString(objectOrEmpty(source)['bytes']);
  if (data === undefined) return undefined;
  const mediaType = `image/${asString(format) ?? 'png'}`;
  return { type: 'media', kind: 'image', source: { from: 'base64', mediaType, data } };
}
