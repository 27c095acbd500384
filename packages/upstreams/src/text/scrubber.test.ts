import { expect, it } from 'vitest';
import { scrubber } from './scrubber.ts';

it('hides the longest string first, at every occurrence', () => {
  const scrub = scrubber(['a.example', 'a.example:81', 'sk-1234', undefined]);
  expect(scrub('sk-1234@a.example:81, a.example, sk-1234')).toBe('[hidden]@[hidden], [hidden], [hidden]');
});

it('treats strings as text, not as patterns', () => {
  expect(scrubber(['k.y$&'])('k.y$& kxy$&')).toBe('[hidden] kxy$&');
});

it('leaves strings that are too short to be credentials', () => {
  expect(scrubber(['k', ''])('bad luck')).toBe('bad luck');
});

it.each(['org-AbCd1234', 'proj_AbCd1234', 'sk-pro***wxyz', 'gsk_ab**********yz', 'eyJhbGciOiJ.eyJhdWQi.c2ln'])(
  'hides %s',
  (text) => {
    expect(scrubber([])(`"${text}"`)).toBe('"[hidden]"');
  },
);

it.each(['org-wide rules', 'sk-learn', 'a ** b', '**bold**', 'proj_x'])('leaves %s', (words) => {
  expect(scrubber([])(words)).toBe(words);
});
