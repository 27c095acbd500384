export interface SseFrame {
  event?: string;
  /** The frame's `data:` lines, joined by line feeds. */
  data: string;
}

export interface SseParser {
  /** Returns the frames that this chunk completes. Chunks can be split anywhere, even inside a character. */
  push(chunk: Uint8Array): SseFrame[];
  /** Returns the last frame if no blank line ends it. */
  end(): SseFrame[];
  /** Length of the buffered text in characters. */
  pendingLength(): number;
}

/**
 * Implements the WHATWG standard: `\n`, `\r\n`, and `\r` end lines, and frames without data are dropped. Unlike in the
 * standard, the last frame needs no blank line.
 */
export function createSseParser(): SseParser {
  const decoder = new TextDecoder('utf-8');
  /** Chunks of an unfinished line. They are joined when the line ends, so that a long line is searched only once. */
  let rest: string[] = [];
  let restLength = 0;
  let event: string | undefined;
  let data: string[] = [];
  /**
   * Whether the last chunk ended with a carriage return. A line feed at the start of the next chunk then belongs to the
   * same line ending.
   */
  let endsInReturn = false;

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

  function readLines(text: string): SseFrame[] {
    const frames: SseFrame[] = [];
    let start = 0;
    for (let end = lineEnd(text, start); end !== -1; end = lineEnd(text, start)) {
      readLine(text.slice(start, end), frames);
      start = end + (text.startsWith('\r\n', end) ? 2 : 1);
    }
    endsInReturn = text.endsWith('\r');
    setRest(text.slice(start));
    return frames;
  }

  function setRest(text: string): void {
    rest = text === '' ? [] : [text];
    restLength = text.length;
  }

  return {
    push: (chunk) => {
      const decoded = decoder.decode(chunk, { stream: true });
      if (decoded === '') return [];
      const text = endsInReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded;
      endsInReturn = false;
      if (lineEnd(text, 0) !== -1) return readLines(rest.join('') + text);
      rest.push(text);
      restLength += text.length;
      return [];
    },
    end: () => {
      const frames: SseFrame[] = [];
      const last = rest.join('') + decoder.decode();
      if (last !== '') readLine(last, frames);
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
