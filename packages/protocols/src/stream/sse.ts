export interface SseFrame {
  event?: string;
  /** The `data:` lines, joined by line feeds. */
  data: string;
}

export interface SseParser {
  /** Returns the completed frames. Chunks may be cut anywhere, even inside a character. */
  push(chunk: Uint8Array): SseFrame[];
  /** Returns a last frame without a blank line. */
  end(): SseFrame[];
  /** In characters. */
  pendingLength(): number;
}

/**
 * Follows the WHATWG standard: `\n`, `\r\n`, and `\r` end lines, and frames without data are dropped. Unlike there, the
 * last frame needs no blank line.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8');
  /** Chunks of an unfinished line, joined at its end, so that a long line is searched once. */
  let rest: string[] = [];
  let restLength = 0;
  let event: string | undefined;
  let data: string[] = [];

  function readLine(line: string, frames: SseFrame[]): void {
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

  function readLines(text: string, isLast: boolean): SseFrame[] {
    const frames: SseFrame[] = [];
    let start = 0;
    for (;;) {
      const end = lineEnd(text, start);
      if (end === -1) break;
      const isReturn = text[end] === '\r';
      // A final `\r` may be the first half of `\r\n`.
      if (isReturn && end === text.length - 1 && !isLast) break;
      readLine(text.slice(start, end), frames);
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
      return readLines(rest.join('') + text, false);
    },
    end: () => {
      const frames = readLines(rest.join('') + decoder.decode(), true);
      if (rest.length > 0) readLine(rest.join(''), frames);
      readLine('', frames);
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

export function sseData(value: unknown): string {
  return `data: ${JSON.stringify(value)}\n\n`;
}

export function sseEvent(event: string, value: unknown): string {
  return `event: ${event}\ndata: ${JSON.stringify(value)}\n\n`;
}

export const SSE_COMMENT = ': keep-alive\n\n';
