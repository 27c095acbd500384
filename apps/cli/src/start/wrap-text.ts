/**
 * Breaks text into lines of at most `width` columns, including the indent. A longer word gets a line by itself. The
 * first line has no indent, because a label precedes it.
 */
export function wrapText(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && indent + line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line].join(`\n${' '.repeat(indent)}`);
}
