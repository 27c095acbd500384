import type { Citation } from '@sluice/canonical';

export interface UrlCitation {
  type: 'url_citation';
  url: string;
  title: string;
  start_index: number;
  end_index: number;
}

/** Citations without a URL are dropped. */
export function encodeAnnotations(citations: readonly Citation[]): UrlCitation[] {
  return citations.flatMap(({ url, title, start, end }): UrlCitation[] =>
    url === undefined
      ? []
      : [{ type: 'url_citation', url, title: title ?? '', start_index: start ?? 0, end_index: end ?? start ?? 0 }],
  );
}
