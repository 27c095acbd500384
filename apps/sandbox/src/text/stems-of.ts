/** Letters and digits; in scripts without spaces, single characters. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu;
const ENDING = /(?:ing|ed|es|s|ly)$/;
/** Words of this length keep their ending. */
const MIN_LENGTH = 3;

/** Lower-case words without the commonest English endings. */
export function stemsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.map((word) => {
    const bare = word.replace(ENDING, '');
    return bare.length < MIN_LENGTH ? word : bare;
  });
}

/** Short words weigh little, except in scripts without longer ones. */
export function weightOf(stem: string): number {
  return /^[a-z]{1,3}$/.test(stem) ? 0.25 : 1;
}
