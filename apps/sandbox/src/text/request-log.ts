import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

interface LoggedRequest {
  wire: string;
  /** With its query, except a key. */
  path: string;
  model: string | null;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  left: boolean;
  /** Milliseconds after the first byte; null if the client stayed or left before it. */
  left_after_ms: number | null;
}

export interface RequestLog {
  requests(): readonly LoggedRequest[];
  clear(): void;
  /** Adds a request to the log. */
  note(seen: Pick<LoggedRequest, 'wire' | 'path' | 'model' | 'body'>, headers: IncomingHttpHeaders): LoggedRequest;
  /** Records the status and whether the client stays to the end. */
  follow(seen: LoggedRequest, response: ServerResponse): void;
  /** Updates a logged request whose body was read later. */
  read(response: ServerResponse, found: Pick<LoggedRequest, 'model' | 'body'> & Partial<LoggedRequest>): void;
  /** The sandbox itself drops this response. */
  broken(response: ServerResponse): void;
  /** The first byte is sent now. */
  begun(response: ServerResponse): void;
}

const KEPT = 200;
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization']);

/** Browsers put the key among the WebSocket subprotocols. */
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
