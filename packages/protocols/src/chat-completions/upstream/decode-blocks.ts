import type { Citation, MediaBlock, OpaqueToken, TextTarget } from '@sluice/canonical';
import { isRecord } from '../../json/is-record.ts';
import { thinkingText } from '../wire/thinking-text.ts';
import { asArray, asNonEmptyString } from '../../json/values.ts';

/** The first base64 characters of audio, by format. The response does not state the format. */
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
  return {
    type: 'media',
    kind: 'audio',
    source: { from: 'base64', mediaType, data },
    ...(transcript !== undefined && { transcript }),
  };
}

export function decodeCitations(annotations: unknown): Citation[] {
  return asArray(annotations).flatMap((annotation): Citation[] => {
    const cited = isRecord(annotation) ? annotation['url_citation'] : undefined;
    if (!isRecord(cited)) return [];
    const url = asNonEmptyString(cited['url']);
    const title = asNonEmptyString(cited['title']);
    const start = cited['start_index'];
    const end = cited['end_index'];
    return [
      {
        ...(url !== undefined && { url }),
        ...(title !== undefined && { title }),
        ...(typeof start === 'number' && { start }),
        ...(typeof end === 'number' && { end }),
      },
    ];
  });
}

/** Binds an upstream's opaque token to its account and model. */
export function tokenOf(value: string, { protocol, account, model }: TextTarget): OpaqueToken {
  return { protocol, account, model, value };
}

/** Splits content into text and reasoning. Mistral sends a list of thinking and text parts. */
export function* contentChunks(content: unknown): Generator<{ type: 'text' | 'reasoning'; text: string }> {
  if (typeof content === 'string') {
    if (content !== '') yield { type: 'text', text: content };
    return;
  }
  for (const part of asArray(content)) {
    if (!isRecord(part)) continue;
    if (part['type'] === 'thinking') {
      const text = thinkingText(part['thinking']);
      if (text !== '') yield { type: 'reasoning', text };
      continue;
    }
    const text = asNonEmptyString(part['text']);
    if (text !== undefined) yield { type: 'text', text };
  }
}
