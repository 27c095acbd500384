import { describe, expect, it } from 'vitest';
import { countLongSentences } from './long-sentences.mjs';

const words = (count: number) => Array.from({ length: count }, () => 'word').join(' ');

describe('countLongSentences', () => {
  it('counts sentences of more than 30 words', () => {
    expect(countLongSentences(`${words(30)}. ${words(31)}.\n\n${words(31)}`)).toBe(2);
  });

  it('skips tables and headings, and reads list items apart', () => {
    expect(countLongSentences(`| ${words(40)} |\n\n# ${words(40)}\n\n- ${words(20)}\n- ${words(20)}`)).toBe(0);
  });
});
