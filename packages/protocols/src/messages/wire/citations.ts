import type { Citation } from '@sluice/canonical';
import { type JsonObject, asObjects, asString } from '../../json/values.ts';

/** A citation of the client's own document has only a title. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  // A search result's `source` is usually its URL, but need not be one.
  const source = asString(citation['url']) ?? asString(citation['source']);
  const title = asString(citation['title']) ?? asString(citation['document_title']);
  if (source === undefined && title === undefined) return undefined;
  return { url: source, title };
}

export function decodeCitations(citations: unknown): Citation[] {
  return asObjects(citations).flatMap((citation) => decodeCitation(citation) ?? []);
}

/** Applies citations to the complete text, because this protocol states no range. */
export function citeAll(citations: readonly Citation[], text: string): Citation[] {
  return citations.map((citation) => ({ ...citation, start: 0, end: text.length }));
}
