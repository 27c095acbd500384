import type { Citation } from '@sluice/canonical';
import { amount } from '../../json/amount.ts';
import { asNonEmptyString, type JsonObject, objectOrEmpty } from '../../json/values.ts';
import { records } from '../wire/proto-json.ts';

/** The bytes of the candidate's text that a citation supports, and their text if the vendor repeats it. */
interface Segment {
  start: number | undefined;
  end: number | undefined;
  text: string | undefined;
}

export interface GroundedCitation {
  /** The candidate's field. */
  field: 'groundingMetadata' | 'citationMetadata';
  source: Citation;
  segment?: Segment;
}

/** Decodes `groundingMetadata` and `citationMetadata`. Ranges are bytes of the candidate's complete text. */
export function decodeGrounding(candidate: JsonObject): GroundedCitation[] {
  const grounding = objectOrEmpty(candidate['groundingMetadata']);
  const sources = records(grounding['groundingChunks']).map(decodeSource);
  const cited = new Set<number>();
  const grounded = records(grounding['groundingSupports']).flatMap((support) => {
    const indices: unknown = support['groundingChunkIndices'];
    return (Array.isArray(indices) ? indices : [0]).flatMap((value: unknown): GroundedCitation[] => {
      const index = amount(value) ?? 0;
      const source = sources[index];
      cited.add(index);
      return source
        ? [{ field: 'groundingMetadata', source, segment: decodeSegment(objectOrEmpty(support['segment'])) }]
        : [];
    });
  });
  const others = sources.flatMap((source, index): GroundedCitation[] =>
    source && !cited.has(index) ? [{ field: 'groundingMetadata', source }] : [],
  );
  const { citations, citationSources } = objectOrEmpty(candidate['citationMetadata']);
  const recited = records(citations ?? citationSources).map((citation): GroundedCitation => ({
    field: 'citationMetadata',
    source: { url: asNonEmptyString(citation['uri']), title: asNonEmptyString(citation['title']) },
    segment: decodeSegment(citation),
  }));
  return [...grounded, ...others, ...recited];
}

function decodeSource(chunk: JsonObject): Citation | undefined {
  const fields = objectOrEmpty(chunk['web'] ?? chunk['retrievedContext'] ?? chunk['maps']);
  const url = asNonEmptyString(fields['uri']);
  const title = asNonEmptyString(fields['title']);
  const text = asNonEmptyString(fields['text']);
  return url === undefined && title === undefined && text === undefined ? undefined : { url, title, text };
}

function decodeSegment(fields: JsonObject): Segment {
  return {
    start: amount(fields['startIndex']),
    end: amount(fields['endIndex']),
    text: asNonEmptyString(fields['text']),
  };
}

/** @param text the candidate's complete text */
export function locate({ source, segment }: GroundedCitation, text: string): Citation {
  if (!segment) return source;
  const bytes = Buffer.from(text);
  const offset = (byte: number) => bytes.subarray(0, byte).toString().length;
  const start = offset(segment.start ?? 0);
  const end = segment.end === undefined ? text.length : offset(segment.end);
  // Some ranges count within one part. The repeated text then locates the segment.
  const found = segment.text === undefined ? -1 : text.indexOf(segment.text);
  if (segment.text === undefined || found < 0 || text.slice(start, end) === segment.text)
    return { ...source, start, end };
  return { ...source, start: found, end: found + segment.text.length };
}
