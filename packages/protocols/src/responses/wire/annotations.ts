import type { Citation } from '@sluice/canonical';

export interface UrlCitation {
  type: 'url_citation';
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}

export interface FileCitation {
  type: 'file_citation';
  file_id: string;
  filename: string;
  index: number;
}

/** A part of a citation that an annotation cannot express. */
export type LostCitation = 'citations' | 'cited text' | 'citation range';

export function encodeAnnotations(
  citations: readonly Citation[],
  lost?: (part: LostCitation) => void,
): (UrlCitation | FileCitation)[] {
  return citations.flatMap(({ url, fileId, title = '', text, start, end }): (UrlCitation | FileCitation)[] => {
    if (text !== undefined && text !== '') lost?.('cited text');
    if (url !== undefined) {
      return [{ type: 'url_citation', url, title, start_index: start ?? 0, end_index: end ?? start ?? 0 }];
    }
    if (fileId === undefined) {
      lost?.('citations');
      return [];
    }
    if ((start ?? end) !== undefined) lost?.('citation range');
    return [{ type: 'file_citation', file_id: fileId, filename: title, index: 0 }];
  });
}
