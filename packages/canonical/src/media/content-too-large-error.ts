/** A file exceeds a size limit. It is not downloaded again, because the size would not change. */
export class ContentTooLargeError extends Error {
  readonly failure = 'too_large';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ContentTooLargeError';
    this.maxBytes = maxBytes;
  }
}
