import { parseSync } from 'oxc-parser';

/** Counts the script's nonblank lines and the lines that contain only a comment. */
export function countLines(path, source) {
  let rest = '';
  let end = 0;
  for (const comment of parseSync(path, source).comments) {
    rest += source.slice(end, comment.start) + source.slice(comment.start, comment.end).replaceAll(/[^\n]/g, ' ');
    end = comment.end;
  }
  rest += source.slice(end);
  const lines = filledLines(source);
  return { lines, comments: lines - filledLines(rest) };
}

const filledLines = (text) => text.split('\n').filter((line) => line.trim() !== '').length;
