/** A file exceeds a size limit. Another download would exceed it too, so it is not retried. */
export class ContentTooLargeError extends Error {
  readonly failure = 'too_large';
  readonly maxBytes: number;

  constructor(maxBytes: number) {
    super(`more than ${maxBytes} bytes`);
    this.name = 'ContentTooLargeError';
    this.maxBytes = maxBytes;
  }
}
