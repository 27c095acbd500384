import type { Citation } from '@sluice/canonical';
import { asObjects, asString, type JsonObject, objectOrEmpty } from '../../json/values.ts';

/** Decodes a citation of `citationsContent` or of a delta. `source` is usually a URL, but can be any text. */
export function decodeCitation(citation: JsonObject): Citation | undefined {
  const web = objectOrEmpty(objectOrEmpty(citation['location'])['web']);
  const url = asString(web['url']) ?? asString(citation['source']);
  const title = asString(citation['title']);
  const texts = asObjects(citation['sourceContent']).flatMap(({ text }) => asString(text) ?? []);
  const text = texts.length > 0 ? texts.join('') : undefined;
  return (url ?? title ?? text) === undefined ? undefined : { url, title, text };
}

/** Applies citations to the complete text, because Converse has no citation ranges. */
export function citeAll(citations: readonly Citation[], text: string): Citation[] | undefined {
  return citations.length > 0 ? citations.map((citation) => ({ ...citation, start: 0, end: text.length })) : undefined;
}
