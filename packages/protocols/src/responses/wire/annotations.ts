import type { Citation } from '@sluice/canonical';

export interface UrlCitation {
  type: 'url_citation';
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}

export function encodeAnnotations(citations: readonly Citation[]): UrlCitation[] {
  return citations.flatMap(({ url, title = '', start = 0, end = start }): UrlCitation[] => {
    // The protocol requires a URL.
    if (url === undefined) return [];
    return [{ type: 'url_citation', url, title, start_index: start, end_index: end }];
  });
}
