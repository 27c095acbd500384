import type { Citation } from '@sluice/canonical';
import { hasTokenPrefix } from '../../text/token-codec.ts';
import { type JsonObject, asObjects, asString } from '../../json/values.ts';

/** Decodes a citation. A citation of the client's own document has only a title. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  // A search result's `source` is usually a URL, but can be any text.
  const source = asString(citation['url']) ?? asString(citation['source']);
  const title = asString(citation['title']) ?? asString(citation['document_title']);
  const fileId = asString(citation['file_id']);
  const text = asString(citation['cited_text']);
  if ((source ?? title ?? fileId ?? text) === undefined) return undefined;
  const isTranslated = hasTokenPrefix(citation['encrypted_index']) ? true : undefined;
  return { url: source, title, fileId, text, isTranslated };
}

export function decodeCitations(citations: unknown): Citation[] {
  return asObjects(citations).flatMap((citation) => decodeCitation(citation) ?? []);
}

/** Applies citations to the complete text, because this protocol has no citation ranges. */
export function citeAll(citations: readonly Citation[], text: string): Citation[] {
  return citations.map((citation) => ({ ...citation, start: 0, end: text.length }));
}
