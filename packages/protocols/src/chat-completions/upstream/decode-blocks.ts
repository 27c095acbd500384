import type { Citation, MediaBlock, OpaqueToken, TextTarget } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { asArray, asNonEmptyString, asNumber, objectOrEmpty, type JsonObject } from '../../json/values.ts';
import { thoughtSignatureOf } from '../wire/extra-content.ts';
import { thinkingText } from '../wire/thinking-text.ts';

/** The first base64 characters of each audio format. The response does not declare the format. */
const AUDIO_SIGNATURES: readonly (readonly [prefix: string, mediaType: string])[] = [
  ['UklGR', 'audio/wav'],
  ['SUQz', 'audio/mpeg'],
  ['//', 'audio/mpeg'],
  ['T2dnUw', 'audio/ogg'],
  ['ZkxhQw', 'audio/flac'],
];

/** @param data base64 */
export function audioBlock(data: string, transcript: string | undefined): MediaBlock {
  const mediaType = AUDIO_SIGNATURES.find(([prefix]) => data.startsWith(prefix))?.[1] ?? 'audio/pcm';
  return { type: 'media', kind: 'audio', source: { from: 'base64', mediaType, data }, transcript };
}

export function decodeCitations(annotations: unknown): Citation[] {
  return asArray(annotations).flatMap((annotation): Citation[] => {
    const citation = isRecord(annotation) ? annotation['url_citation'] : undefined;
    if (!isRecord(citation)) return [];
    return [
      {
        url: asNonEmptyString(citation['url']),
        title: asNonEmptyString(citation['title']),
        // OpenRouter quotes the source.
        text: asNonEmptyString(citation['content']),
        start: asNumber(citation['start_index']),
        end: asNumber(citation['end_index']),
      },
    ];
  });
}

/** Reads the thought signature of a message, delta, or call, and binds it to the upstream's account and model. */
export function signatureToken(holder: JsonObject, { protocol, account, model }: TextTarget): OpaqueToken | undefined {
  const value = thoughtSignatureOf(holder);
  return value === undefined ? undefined : { protocol, account, model, value };
}

/** Reads the fields of a tool call or tool call fragment. */
export function callFields(call: JsonObject, target: TextTarget) {
  const isCustom = isRecord(call['custom']);
  const fields = objectOrEmpty(isCustom ? call['custom'] : call['function']);
  return {
    id: asNonEmptyString(call['id']),
    name: asNonEmptyString(fields['name']),
    kind: isCustom ? ('custom' as const) : ('function' as const),
    /** Some servers send an object instead of its JSON text. */
    args: fields[isCustom ? 'input' : 'arguments'],
    opaqueToken: signatureToken(call, target),
  };
}

/** Splits content into text and reasoning. Mistral sends a list of thinking and text parts. */
export function* contentChunks(content: unknown): Generator<{ type: 'text' | 'reasoning'; text: string }> {
  if (typeof content === 'string') {
    if (content !== '') yield { type: 'text', text: content };
    return;
  }
  for (const part of asArray(content)) {
    if (!isRecord(part)) continue;
    const isThinking = part['type'] === 'thinking';
    const text = isThinking ? thinkingText(part['thinking']) : asNonEmptyString(part['text']);
    if (text !== undefined && text !== '') yield { type: isThinking ? 'reasoning' : 'text', text };
  }
}
