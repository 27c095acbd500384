import { GatewayError, UPSTREAM_MESSAGES } from '@sluice/canonical';
import { binaryText } from './binary-text.ts';

/** Large enough for an image of tens of megabytes as base64. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** The last characters can be the beginning of a blank line, so they are searched again. */
const OVERLAP = 2;

export interface FrameCutter {
  /**
   * Returns the frames that this chunk completes. @throws GatewayError `provider_error` if a frame exceeds the limit
   */
  push(chunk: Uint8Array): string[];
  rest(): string;
}

/** Strings hold one character per byte. A long frame is searched only once, regardless of its number of chunks. */
export function createFrameCutter(): FrameCutter {
  let chunks: string[] = [];
  let length = 0;
  let tail = '';

  function buffer(text: string): void {
    if (text === '') return;
    chunks.push(text);
    length += text.length;
    tail = (tail + text).slice(-OVERLAP);
    if (length > MAX_FRAME_BYTES) throw frameTooLong();
  }

  return {
    push: (chunk) => {
      const part = binaryText(chunk);
      if (length === 0 && isOneFrame(part)) return [part];
      if (frameEnd(tail + part, 0) === -1) {
        buffer(part);
        return [];
      }
      const text = chunks.join('') + part;
      const frames: string[] = [];
      // The search skips the buffered text, which contains no frame end.
      let from = 0;
      let search = Math.max(0, length - OVERLAP);
      const findEnd = text.includes('\r') ? frameEnd : plainFrameEnd;
      for (let end = findEnd(text, search); end !== -1; end = findEnd(text, search)) {
        frames.push(text.slice(from, end));
        from = end;
        search = end;
      }
      chunks = [];
      length = 0;
      tail = '';
      buffer(text.slice(from));
      return frames;
    },
    rest: () => chunks.join(''),
  };
}

/** Most chunks are a single frame, which needs no further search. */
function isOneFrame(text: string): boolean {
  const end = text.indexOf('\n\n');
  return end !== -1 && end === text.length - 2 && !text.includes('\r');
}

export function frameTooLong(): GatewayError {
  return new GatewayError('provider_error', UPSTREAM_MESSAGES.tooLarge);
}

/**
 * Two line endings in a row. A carriage return at the end of the text counts only after another carriage return,
 * because it could otherwise be half of a CRLF.
 */
const BLANK_LINE = /\n\n|\n\r\n|\r\r|\n\r(?=[^\n])/g;

/** Returns the position after the blank line that ends a frame, or -1 if the frame is incomplete. */
function frameEnd(text: string, from: number): number {
  BLANK_LINE.lastIndex = from;
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : -1;
}

/** A faster version of {@link frameEnd} for text without carriage returns. */
function plainFrameEnd(text: string, from: number): number {
  const end = text.indexOf('\n\n', from);
  return end === -1 ? -1 : end + 2;
}
