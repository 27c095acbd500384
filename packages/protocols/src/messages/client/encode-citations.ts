import type { Citation } from '@sluice/canonical';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import type { JsonObject } from '../../json/values.ts';

/**
 * Encodes citations of web pages. Other sources are documents of the request, which this protocol cites by number.
 * @returns null if there are none, as in the vendor's responses
 */
export function encodeCitations(
  citations: readonly Citation[] | undefined,
  text: string,
  context: ResponseContext,
): JsonObject[] | null {
  const encoded = (citations ?? []).flatMap((citation) => encodeCitation(citation, text, context));
  return encoded.length > 0 ? encoded : null;
}

function encodeCitation(
  { url, title, text: cited, start, end }: Citation,
  text: string,
  { lost, tokenCodec }: ResponseContext,
): JsonObject[] {
  if (url === undefined) {
    lost?.('citations');
    return [];
  }
  // This protocol has no ranges. A citation applies to its complete text block.
  if ((start ?? 0) !== 0 || (end !== undefined && end < text.length)) lost?.('citation range');
  const encoded = {
    type: 'web_search_result_location',
    url,
    title: title ?? null,
    cited_text: cited ?? '',
    // Marks the citation, because Anthropic refuses citations that it did not issue.
    encrypted_index: tokenCodec.wrap({ protocol: 'chat-completions', value: 'citation' }),
  };
  return [encoded];
}
