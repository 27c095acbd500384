import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

/** A text request as the sandbox saw it. */
interface LoggedRequest {
  wire: string;
  /** With its query, but for a key. */
  path: string;
  model: string | null;
  /** Without credentials. */
  headers: Record<string, string>;
  body: unknown;
  /** The HTTP status of the answer; null until it has begun. */
  status: number | null;
  /** Whether the caller left before the end. */
  left: boolean;
  /** How long after the first byte it left, in milliseconds; null when it stayed, or left before the first byte. */
  left_after_ms: number | null;
}

/** The last text requests, for tests. */
export interface RequestLog {
  requests(): readonly LoggedRequest[];
  clear(): void;
  /** Notes a request, and watches its answer to the end. */
  note(seen: Pick<LoggedRequest, 'wire' | 'path' | 'model' | 'body'>, headers: IncomingHttpHeaders): LoggedRequest;
  /** Follows an answer: when its first byte went out, and whether the caller stayed. */
  follow(seen: LoggedRequest, response: ServerResponse): void;
  /** Tells what a body held that was read only after it was noted. */
  read(response: ServerResponse, found: Pick<LoggedRequest, 'model' | 'body'> & Partial<LoggedRequest>): void;
  /** Says that the sandbox itself breaks an answer off. */
  broken(response: ServerResponse): void;
  /** Says that the first byte of an answer goes out now. */
  begun(response: ServerResponse): void;
}

const KEPT = 200;
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization']);

/** Browsers have the key among the protocols of a socket. */
function shown(value: string): string {
  return value.replaceAll(/(openai-insecure-api-key\.)[^,\s]+/g, '$1…');
}

function withoutCredentials(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, shown(String(value))]));
}

function withoutKey(path: string): string {
  return path.replace(/([?&])key=[^&]*&?/, '$1').replace(/[?&]$/, '');
}

/** A log in memory. */
export function createRequestLog(now: () => number): RequestLog {
  let kept: LoggedRequest[] = [];
  const firstBytes = new WeakMap<ServerResponse, number>();
  const broken = new WeakSet<ServerResponse>();
  const followed = new WeakMap<ServerResponse, LoggedRequest>();
  return {
    requests: () => kept,
    clear() {
      kept = [];
    },
    note({ wire, path, model, body }, headers) {
      const seen: LoggedRequest = {
        wire,
        path: withoutKey(path),
        model,
        headers: withoutCredentials(headers),
        body,
        status: null,
        left: false,
        left_after_ms: null,
      };
      kept = [...kept.slice(1 - KEPT), seen];
      return seen;
    },
    follow(seen, response) {
      followed.set(response, seen);
      response.once('close', () => {
        if (response.headersSent) seen.status = response.statusCode;
        seen.left = !response.writableFinished && !broken.has(response);
        const first = firstBytes.get(response);
        if (seen.left && first !== undefined) seen.left_after_ms = now() - first;
      });
    },
    read: (response, found) => void Object.assign(followed.get(response) ?? {}, found),
    broken: (response) => void broken.add(response),
    begun(response) {
      if (!firstBytes.has(response)) firstBytes.set(response, now());
    },
  };
}
