const MAX_WORDS = 30;

/** Counts Markdown sentences of more than 30 words. Headings and tables are skipped. */
export function countLongSentences(markdown) {
  return markdown
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)/)
    .filter((block) => !/^\s*[|#]/.test(block))
    .flatMap((block) => block.split(/[.!?:;](?=\s|$)/))
    .filter((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length > MAX_WORDS).length;
}
