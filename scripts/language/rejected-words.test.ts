import { describe, expect, it } from 'vitest';
import type { Kind } from './prose.mjs';
import { rejectedWords, rejectionRules } from './rejected-words.mjs';

const rules = rejectionRules();
const hits = (text: string, kind: Kind = 'comment', path = 'a.ts') =>
  rejectedWords(path, { kind, line: 1, text }, rules).map(({ words }) => words);

describe('rejectedWords', () => {
  it.each([
    ['The wish names a picture.', ['wish', 'picture']],
    ['A worker that fell silent is told.', ['fell silent', 'told']],
    ['It was let out of the\nwaiting room.', ['let out', 'waiting room']],
    ['What it names stands in the list.', ['What', 'stands in']],
    ['Read it. Who calls decides.', ['Who']],
  ])('rejects %j', (text, words) => {
    expect(hits(text)).toEqual(words);
  });

  it.each([
    'Set it if you wish to keep the file.',
    'The fields tell the two apart; a digest tells images apart.',
    'There is no room for more.',
    'A stub stands in for the vendor.',
    'What happens when the lock expires?',
    'A lookup in picture_id or wish-list.',
  ])('accepts %j', (text) => {
    expect(hits(text)).toEqual([]);
  });

  it('checks American English in prose, and not in messages', () => {
    expect(hits('The request was cancelled.', 'docs')).toEqual(['cancelled']);
    expect(hits('The request was cancelled.', 'message')).toEqual([]);
  });

  it('reports the line of a hit', () => {
    const [hit] = rejectedWords('a.ts', { kind: 'comment', line: 4, text: ' One.\n Two wishes.' }, rules);
    expect(hit).toMatchObject({ path: 'a.ts', line: 5, words: 'wishes' });
  });

  it('limits an exception to its path and its text', () => {
    const own = rejectionRules([
      { reject: 'film', use: 'video', except: [{ path: 'apps/sandbox', text: 'film format' }] },
    ]);
    const count = (path: string, text: string) => rejectedWords(path, { kind: 'comment', line: 1, text }, own).length;
    expect(count('apps/sandbox/a.ts', 'A film format.')).toBe(0);
    expect(count('apps/sandbox/a.ts', 'A film.')).toBe(1);
    expect(count('apps/api/a.ts', 'A film format.')).toBe(1);
  });
});
