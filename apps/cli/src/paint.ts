import { styleText } from 'node:util';

type Style = 'bold' | 'dim' | 'red' | 'yellow' | 'cyan';

/** Styles text for standard output. Plain without a terminal, with NO_COLOR, and with TERM=dumb. */
export function paint(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout });
}

/** Styles text for standard error. */
export function paintError(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stderr });
}
