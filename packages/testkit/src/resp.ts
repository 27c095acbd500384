const CRLF = Buffer.from('\r\n');

/** Splits a byte stream into complete Redis values. */
export class RespSplitter {
  #rest: Buffer = Buffer.alloc(0);

  /** Returns the values that are complete after this chunk. */
  push(chunk: Buffer): Buffer[] {
    this.#rest = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const values: Buffer[] = [];
    for (;;) {
      const end = endOfValue(this.#rest, 0);
      if (end === undefined) return values;
      values.push(this.#rest.subarray(0, end));
      this.#rest = this.#rest.subarray(end);
    }
  }
}

/** Parses a command in the format that clients send: an array of strings. */
export function parseCommand(command: Buffer): string[] {
  const args: string[] = [];
  let at = command.indexOf(CRLF) + 2;
  while (at < command.length) {
    const head = command.indexOf(CRLF, at);
    const length = Number(command.toString('latin1', at + 1, head));
    args.push(command.toString('utf8', head + 2, head + 2 + length));
    at = head + 2 + length + 2;
  }
  return args;
}

/** Returns the end of the value that starts at `at`, or undefined if it is incomplete. Supports RESP 2 and RESP 3. */
function endOfValue(bytes: Buffer, at: number): number | undefined {
  const lineEnd = bytes.indexOf(CRLF, at);
  if (lineEnd === -1) return undefined;
  const type = String.fromCharCode(bytes[at] ?? 0);
  const count = Number(bytes.toString('latin1', at + 1, lineEnd));
  const next = lineEnd + 2;
  switch (type) {
    case '$':
    case '=':
    case '!': {
      const end = count < 0 ? next : next + count + 2;
      return end <= bytes.length ? end : undefined;
    }
    case '*':
    case '~':
    case '>':
      return endOfValues(bytes, next, count);
    case '%':
      return endOfValues(bytes, next, 2 * count);
    case '|': {
      // An attribute is followed by the value it belongs to.
      return endOfValues(bytes, next, 2 * count + 1);
    }
    default:
      return next;
  }
}

function endOfValues(bytes: Buffer, from: number, count: number): number | undefined {
  let at: number | undefined = from;
  for (let i = 0; i < count && at !== undefined; i++) at = endOfValue(bytes, at);
  return at;
}
