import type { Citation } from '@sluice/canonical';
import { type JsonObject, recordsOf, textOf } from './record.ts';

/** Reads one citation; those of a document given by the client have its title alone. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  // A search result's `source` is its URL in practice, but need not be one.
  const source = textOf(citation['url']) ?? textOf(citation['source']);
  const title = textOf(citation['title']) ?? textOf(citation['document_title']);
  if (source === undefined && title === undefined) return undefined;
  return { ...(source !== undefined && { url: source }), ...(title !== undefined && { title }) };
}

/** Reads a text block's citations, leaving out those that name nothing. */
export function decodeCitations(citations: unknown): Citation[] {
  return recordsOf(citations).flatMap((citation) => decodeCitation(citation) ?? []);
}

/** Marks citations as meant for a whole text, as this protocol has it. */
export function citeAll(citations: readonly Citation[], text: string): Citation[] {
  return citations.map((citation) => ({ ...citation, start: 0, end: text.length }));
}
