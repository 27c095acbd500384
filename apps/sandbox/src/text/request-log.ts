import type { IncomingHttpHeaders, ServerResponse } from 'node:http';

interface LoggedRequest {
  wire: string;
  /** Includes the query string, from which an API key is removed. */
  path: string;
  model: string | null;
  headers: Record<string, string>;
  body: unknown;
  status: number | null;
  left: boolean;
  /**
   * Milliseconds from the first byte until the client disconnected; null if the client did not disconnect, or
   * disconnected before the first byte.
   */
  left_after_ms: number | null;
}

type NewRequest = Pick<LoggedRequest, 'wire' | 'path' | 'model' | 'body'>;

const MAX_REQUESTS = 200;
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization']);

/** Browsers send the key as a WebSocket subprotocol. */
function withoutBrowserKey(value: string): string {
  return value.replaceAll(/(openai-insecure-api-key\.)[^,\s]+/g, '$1…');
}

function withoutCredentials(headers: IncomingHttpHeaders): Record<string, string> {
  const others = Object.entries(headers).filter(([name]) => !CREDENTIALS.has(name));
  return Object.fromEntries(others.map(([name, value]) => [name, withoutBrowserKey(String(value))]));
}

function withoutKey(path: string): string {
  return path.replace(/([?&])key=[^&]*&?/, '$1').replace(/[?&]$/, '');
}

export function createRequestLog(now: () => number) {
  let requests: LoggedRequest[] = [];
  const firstBytes = new WeakMap<ServerResponse, number>();
  const broken = new WeakSet<ServerResponse>();
  const followed = new WeakMap<ServerResponse, LoggedRequest>();
  return {
    requests: (): readonly LoggedRequest[] => requests,
    clear() {
      requests = [];
    },
    note({ wire, path, model, body }: NewRequest, headers: IncomingHttpHeaders) {
      const entry: LoggedRequest = {
        wire,
        path: withoutKey(path),
        model,
        headers: withoutCredentials(headers),
        body,
        status: null,
        left: false,
        left_after_ms: null,
      };
      requests = [...requests.slice(1 - MAX_REQUESTS), entry];
      return entry;
    },
    /** Records the status and whether the client disconnects before the end. */
    follow(entry: LoggedRequest, response: ServerResponse): void {
      followed.set(response, entry);
      response.once('close', () => {
        if (response.headersSent) entry.status = response.statusCode;
        entry.left = !response.writableFinished && !broken.has(response);
        const first = firstBytes.get(response);
        if (entry.left && first !== undefined) entry.left_after_ms = now() - first;
      });
    },
    update: (response: ServerResponse, read: Partial<LoggedRequest>) =>
      void Object.assign(followed.get(response) ?? {}, read),
    /** Marks a response whose connection the sandbox itself drops. */
    broken: (response: ServerResponse) => void broken.add(response),
    /** Records the current time as the time of the first byte. */
    firstByteSent(response: ServerResponse): void {
      if (!firstBytes.has(response)) firstBytes.set(response, now());
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
