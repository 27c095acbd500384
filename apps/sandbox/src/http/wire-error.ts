export class WireError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
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
