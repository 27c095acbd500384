/** One server-sent event. */
export interface SseFrame {
  /** Its `event:` line, where there is one. */
  event?: string;
  /** Its `data:` lines, joined by line feeds. */
  data: string;
}

/** Takes a stream of server-sent events apart. */
export interface SseParser {
  /** Gives the frames that are whole after this piece, wherever it was cut, also inside a character. */
  push(chunk: Uint8Array): SseFrame[];
  /** Gives the last frame when no blank line ended it. */
  end(): SseFrame[];
  /** Characters that wait for the rest of their line or frame. */
  pendingLength(): number;
}

/**
 * Makes a parser after the WHATWG standard (`\n`, `\r\n` and `\r` end lines, a byte order mark is skipped, comments and
 * frames without data are dropped), with one leniency: a last frame counts without its blank line.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8');
  /** Pieces of a line that has not ended, joined when it has: a long line is searched once. */
  let rest: string[] = [];
  let restLength = 0;
  let event: string | undefined;
  let data: string[] = [];

  function takeLine(line: string, frames: SseFrame[]): void {
    if (line === '') {
      if (data.length > 0) frames.push({ ...(event !== undefined && { event }), data: data.join('\n') });
      event = undefined;
      data = [];
      return;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field !== 'data' && field !== 'event') return;
    const from = colon === -1 ? line.length : colon + 1;
    const value = line.slice(line[from] === ' ' ? from + 1 : from);
    if (field === 'data') data.push(value);
    else event = value;
  }

  function takeLines(text: string, isLast: boolean): SseFrame[] {
    const frames: SseFrame[] = [];
    let start = 0;
    for (;;) {
      const end = lineEnd(text, start);
      if (end === -1) break;
      const isReturn = text[end] === '\r';
      // A return at the very end may be half of a `\r\n` whose rest is still to come.
      if (isReturn && end === text.length - 1 && !isLast) break;
      takeLine(text.slice(start, end), frames);
      start = end + (isReturn && text[end + 1] === '\n' ? 2 : 1);
    }
    setRest(text.slice(start));
    return frames;
  }

  function setRest(text: string): void {
    rest = text === '' ? [] : [text];
    restLength = text.length;
  }

  return {
    push: (chunk) => {
      const text = decoder.decode(chunk, { stream: true });
      if (lineEnd(text, 0) === -1 && rest.at(-1)?.endsWith('\r') !== true) {
        rest.push(text);
        restLength += text.length;
        return [];
      }
      return takeLines(rest.join('') + text, false);
    },
    end: () => {
      const frames = takeLines(rest.join('') + decoder.decode(), true);
      if (rest.length > 0) takeLine(rest.join(''), frames);
      takeLine('', frames);
      setRest('');
      return frames;
    },
    pendingLength: () => restLength + data.reduce((sum, line) => sum + line.length, 0),
  };
}

function lineEnd(text: string, from: number): number {
  const feed = text.indexOf('\n', from);
  const back = text.indexOf('\r', from);
  if (feed === -1) return back;
  return back === -1 || feed < back ? feed : back;
}

/** Writes an event as `data:` alone, as chat completions do. */
export function sseData(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Writes an event with its `event:` line, as messages and responses do. */
export function sseEvent(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** A frame that says nothing. */
export const SSE_COMMENT = ': keep-alive\n\n';
