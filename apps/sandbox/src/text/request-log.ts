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

type NewRequest = Pick<LoggedRequest, 'wire' | 'path' | 'model' | 'body'>;

const MAX_REQUESTS = 200;
const CREDENTIALS = new Set(['authorization', 'x-api-key', 'x-goog-api-key', 'cookie', 'proxy-authorization']);

/** Browsers put the key among the WebSocket subprotocols. */
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
    /** Records the status and whether the client stays to the end. */
    follow(entry: LoggedRequest, response: ServerResponse): void {
      followed.set(response, entry);
      response.once('close', () => {
        if (response.headersSent) entry.status = response.statusCode;
        entry.left = !response.writableFinished && !broken.has(response);
        const first = firstBytes.get(response);
        if (entry.left && first !== undefined) entry.left_after_ms = now() - first;
      });
    },
    /** Updates a logged request whose body was read later. */
    update: (response: ServerResponse, read: Partial<LoggedRequest>) =>
      void Object.assign(followed.get(response) ?? {}, read),
    /** The sandbox itself drops this response. */
    broken: (response: ServerResponse) => void broken.add(response),
    /** The first byte is sent now. */
    begun(response: ServerResponse): void {
      if (!firstBytes.has(response)) firstBytes.set(response, now());
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
