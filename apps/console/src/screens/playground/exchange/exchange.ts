import { ApiError, apiUrl, errorOf, fetchApi } from '../../../api/client.ts';
import type { ApiRequest } from '../protocols/text-protocol.ts';
import { createEventSplitter, type ServerEvent } from './sse.ts';

/** A request and what was received, for the raw view. The fields grow while the response is read. */
export interface Exchange {
  request: ApiRequest;
  startedAt: number;
  status: number | undefined;
  headers: readonly (readonly [name: string, value: string])[];
  /** Text of each event, with milliseconds since the request. */
  events: { ms: number; raw: string }[];
  /** The body of a response that is text, but no stream. */
  body: string | undefined;
  firstEventMs: number | undefined;
  totalMs: number | undefined;
}

export interface ExchangeOptions {
  signal: AbortSignal;
  /** Called after each change of the exchange. */
  onUpdate: (exchange: Exchange) => void;
  onEvent?: (event: ServerEvent) => void;
}

/**
 * Sends a request with the session, and records its response. Event streams are read to their end.
 * @returns the exchange, and the response if its body is neither an event stream nor text
 * @throws ApiError for an error response; errors of `onEvent`; the signal's reason
 */
export async function sendExchange(request: ApiRequest, options: ExchangeOptions): Promise<[Exchange, Response]> {
  const exchange: Exchange = {
    request,
    startedAt: performance.now(),
    status: undefined,
    headers: [],
    events: [],
    body: undefined,
    firstEventMs: undefined,
    totalMs: undefined,
  };
  const update = (): void => options.onUpdate({ ...exchange });
  const elapsed = (): number => performance.now() - exchange.startedAt;
  update();
  try {
    const response = await fetchApi(urlOf(request), { ...initOf(request), signal: options.signal });
    Object.assign(exchange, { status: response.status, headers: [...response.headers] });
    if (!response.ok) {
      exchange.body = await response.clone().text();
      throw await errorOf(response);
    }
    const type = response.headers.get('content-type') ?? '';
    if (type.startsWith('text/event-stream')) {
      await readEvents(response, (event) => {
        exchange.firstEventMs ??= elapsed();
        exchange.events.push({ ms: elapsed(), raw: event.raw });
        options.onEvent?.(event);
        update();
      });
    } else if (/^(?:text\/|application\/json)/.test(type)) {
      exchange.body = await response.clone().text();
    }
    return [exchange, response];
  } finally {
    exchange.totalMs = elapsed();
    update();
  }
}

function urlOf({ path }: ApiRequest): URL {
  const [pathname = '', query = ''] = path.split('?', 2);
  return apiUrl(pathname, Object.fromEntries(new URLSearchParams(query)));
}

function initOf({ method, headers = {}, json, form }: ApiRequest): RequestInit {
  if (json) {
    return { method, headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(json) };
  }
  if (!form) return { method, headers };
  const body = new FormData();
  for (const [name, value] of form) body.append(name, value);
  return { method, headers, body };
}

/** @throws ApiError if the connection breaks */
async function readEvents(response: Response, onEvent: (event: ServerEvent) => void): Promise<void> {
  if (!response.body) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  const split = createEventSplitter();
  for (;;) {
    const { done, value } = await reader.read().catch((error: unknown) => {
      if (error instanceof DOMException && error.name === 'AbortError') throw error;
      throw new ApiError('The connection broke before the end of the response.', {
        status: response.status,
        code: 'connection_broken',
        param: undefined,
        requestId: response.headers.get('x-request-id') ?? undefined,
      });
    });
    if (done) return;
    for (const event of split(value)) onEvent(event);
  }
}
