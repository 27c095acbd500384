/** Matches letters and digits, or single characters of writing systems without spaces. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu;
const ENDING = /(?:ing|ed|es|s|ly)$/;
/** A word keeps its ending if the stem would be shorter than this. */
const MIN_LENGTH = 3;

/** Returns the words in lower case, without the most common English endings. */
export function stemsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.map((word) => {
    const bare = word.replace(ENDING, '');
    return bare.length < MIN_LENGTH ? word : bare;
  });
}

/** Short Latin words have a low weight. All other words have the full weight. */
export function weightOf(stem: string): number {
  return /^[a-z]{1,3}$/.test(stem) ? 0.25 : 1;
}
