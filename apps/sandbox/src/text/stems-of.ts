/** A run of letters and digits; of scripts without spaces, each character. */
const WORD = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}\p{M}]+/gu;
const ENDING = /(?:ing|ed|es|s|ly)$/;
/** A word keeps an ending without which less would be left. */
const MIN_LENGTH = 3;

/** The words of a text in lower case, without the commonest English endings, so that forms of a word are one. */
export function stemsOf(text: string): string[] {
  const words = text.normalize('NFKC').toLowerCase().match(WORD) ?? [];
  return words.map((word) => {
    const bare = word.replace(ENDING, '');
    return bare.length < MIN_LENGTH ? word : bare;
  });
}

/** How much a word says: short ones are articles and the like, but for those of scripts that have no longer ones. */
export function weightOf(stem: string): number {
  return /^[a-z]{1,3}$/.test(stem) ? 0.25 : 1;
}
