/** An error in a wire's own shape, ready to be answered. */
export class WireError extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly headers: Record<string, string>;
  /** The answer's body, for wires whose errors tell the request's id. */
  readonly body: (requestId: string) => unknown;

  constructor(
    status: number,
    message: string,
    body: (requestId: string) => unknown,
    headers: Record<string, string> = {},
  ) {
    super(message);
    this.name = 'WireError';
    this.status = status;
    this.body = body;
    this.headers = headers;
  }
}
