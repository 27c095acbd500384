import { describe, expect, it } from 'vitest';
import { documentText, documentTexts } from './document-text.ts';

const video = { title: 'Jaws', year: 1975, cast: ['Scheider'], plot: 'A shark.' };

describe('documentText', () => {
  it.each([
    ['a text', 'a', undefined, 'a'],
    ['the text of an object', { text: 'a', year: 7 }, undefined, 'a'],
    [
      'all fields of an object without a text',
      video,
      undefined,
      'title: Jaws\nyear: 1975\ncast: ["Scheider"]\nplot: A shark.',
    ],
    ['the fields that the client has named, in its order', video, ['plot', 'title'], 'plot: A shark.\ntitle: Jaws'],
    ['the one field that the client has named', video, ['plot'], 'A shark.'],
    ['the one field, even where it is no text', video, ['year'], 'year: 1975'],
    ['the named fields before the text', { text: 'a', title: 'b' }, ['title', 'text'], 'title: b\ntext: a'],
    ['the text where none of the named fields is there', { text: 'a' }, ['title'], 'a'],
    ['what is there of the named fields', { title: 'b', text: null }, ['title', 'text'], 'b'],
    ['the text next to an image', { text: 'a', image: 'https://x/y.png' }, undefined, 'a'],
  ])('encodes %s', (_what, document, rankFields, text) => {
    expect(documentText(document, rankFields, 'documents[0]')).toBe(text);
  });

  it('refuses an image', () => {
    expect(() => documentTexts({ documents: ['a', { image: 'https://x/y.png' }] })).toThrow(
      expect.objectContaining({ code: 'unsupported_parameter', param: 'documents[1][image]' }),
    );
  });
});
