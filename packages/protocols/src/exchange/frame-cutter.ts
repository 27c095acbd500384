import { GatewayError } from '@sluice/canonical';
import { binaryText } from './binary-text.ts';

/** Enough for an image of tens of megabytes as base64. */
export const MAX_FRAME_BYTES = 64 * 1024 * 1024;
/** The last characters may be the beginning of a blank line. */
const OVERLAP = 2;

export interface FrameCutter {
  /** Returns the completed frames. @throws GatewayError `provider_error` for a frame beyond the limit */
  push(chunk: Uint8Array): string[];
  rest(): string;
}

/** Texts have one character for each byte. A long frame is searched once, however many chunks it has. */
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
      if (frameEnd(tail + part, 0) === -1) {
        buffer(part);
        return [];
      }
      const text = chunks.join('') + part;
      const frames: string[] = [];
      // The buffered text contains no frame end.
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

export function frameTooLong(): GatewayError {
  return new GatewayError('provider_error', 'The upstream sent a stream event that is too long.');
}

/** Two line ends. A carriage return at the end of the text may be the first half of a line end, except after another. */
const BLANK_LINE = /\n\n|\n\r\n|\r\r|\n\r(?=[^\n])/g;

/** The position after the blank line that ends a frame; -1 for an incomplete one. */
function frameEnd(text: string, from: number): number {
  BLANK_LINE.lastIndex = from;
  return BLANK_LINE.test(text) ? BLANK_LINE.lastIndex : -1;
}

/** As {@link frameEnd}, and faster, for a text without carriage returns. */
function plainFrameEnd(text: string, from: number): number {
  const end = text.indexOf('\n\n', from);
  return end === -1 ? -1 : end + 2;
}
