import { expect, it } from 'vitest';
import { citeAll, decodeCitations } from './citations.ts';

it('reads citations of every kind by URL and title', () => {
  const citations = [
    { type: 'web_search_result_location', url: 'https://a', title: 'A' },
    { type: 'search_result_location', source: 'https://b', title: null },
    { type: 'char_location', document_title: 'C', start_char_index: 1 },
    { type: 'char_location', document_title: null },
  ];
  expect(decodeCitations(citations)).toEqual([{ url: 'https://a', title: 'A' }, { url: 'https://b' }, { title: 'C' }]);
  expect(decodeCitations(null)).toEqual([]);
});

it('applies a citation to the complete text of its block', () => {
  expect(citeAll([{ title: 'A' }], 'abc')).toEqual([{ title: 'A', start: 0, end: 3 }]);
});
