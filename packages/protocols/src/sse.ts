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
}

/**
 * Makes a parser after the WHATWG standard (`\n`, `\r\n` and `\r` end lines, a byte order mark is skipped, comments and
 * frames without data are dropped), with one leniency: a last frame counts without its blank line.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8');
  let rest = '';
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
    rest = text.slice(start);
    return frames;
  }

  return {
    push: (chunk) => takeLines(rest + decoder.decode(chunk, { stream: true }), false),
    end: () => {
      const frames = takeLines(rest + decoder.decode(), true);
      if (rest !== '') takeLine(rest, frames);
      takeLine('', frames);
      rest = '';
      return frames;
    },
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
