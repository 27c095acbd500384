/** U+FEFF in UTF-8, with one character per byte. */
const BYTE_ORDER_MARK = '\u00EF\u00BB\u00BF';

/**
 * Returns the frame with its data on a single line that ends with `\n` or `\r\n`. Only frames in another format, which
 * are rare, are rewritten. A line feed between JSON tokens is whitespace, because strings escape line feeds.
 */
export function plainFrame(frame: string): string {
  if (isPlain(frame)) return frame;
  const lines = frame
    .replace(BYTE_ORDER_MARK, '')
    .split(/\r\n|\r|\n/)
    .filter((line) => line !== '');
  const data = lines.filter((line) => isData(line)).map((line) => line.replace(/^data:? ?/, ''));
  const others = lines.filter((line) => !isData(line));
  return [...others, ...(data.length > 0 ? [`data: ${data.join(' ')}`] : []), '', ''].join('\n');
}

function isPlain(frame: string): boolean {
  const isDataFirst = frame.startsWith('data:');
  if (!isDataFirst && frame.startsWith(BYTE_ORDER_MARK)) return false;
  const first = isDataFirst ? 0 : frame.indexOf('\ndata:');
  if (first !== -1 && frame.includes('\ndata:', first + 1)) return false;
  return !frame.includes('\r') || !/\r(?!\n)/.test(frame);
}

function isData(line: string): boolean {
  return line === 'data' || line.startsWith('data:');
}
