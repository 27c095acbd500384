const MAX_WORDS = 30;

/** Counts Markdown sentences with more than 30 words. Skips headings and tables. */
export function countLongSentences(markdown) {
  return markdown
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .filter((block) => !/^\s*[|#]/.test(block))
    .flatMap((block) => block.split(/[.!?:;](?=\s|$)/))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > MAX_WORDS).length;
}
