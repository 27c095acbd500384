import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

/** Styles text for standard output. Returns plain text without a terminal, with NO_COLOR, or with TERM=dumb. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Styles text for standard error. */
export function paintError(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
