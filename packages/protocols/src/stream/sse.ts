export interface SseFrame {
  /** The `event:` line, if any. */
  event?: string;
  /** The `data:` lines, joined by line feeds. */
  data: string;
}

/** Parses a stream of server-sent events. */
export interface SseParser {
  /** Returns the completed frames. Chunks may be cut anywhere, even inside a character. */
  push(chunk: Uint8Array): SseFrame[];
  /** Returns a last frame without a blank line. */
  end(): SseFrame[];
  /** Number of buffered characters. */
  pendingLength(): number;
}

/**
 * Follows the WHATWG standard (`\n`, `\r\n`, and `\r` end lines; a byte order mark, comments, and frames without data
 * are
 * dropped), except that a last frame needs no blank line.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8');
  /** Chunks of an unfinished line, joined at its end, so that a long line is searched once. */
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
      // A final `\r` may be the first half of `\r\n`.
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

/** Encodes an event with `data:` only, as chat completions do. */
export function sseData(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

/** Encodes an event with an `event:` line, as messages and responses do. */
export function sseEvent(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}

/** A frame without content. */
export const SSE_COMMENT = ': keep-alive\n\n';
