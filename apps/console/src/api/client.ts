import { API_ROOT } from '../lib/base-path.ts';

type QueryValue = string | number | boolean | undefined;

export interface ApiCall {
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
  /** Empty and undefined values are omitted. */
  query?: Readonly<Record<string, QueryValue>>;
  /** Sent as JSON. */
  body?: unknown;
  signal?: AbortSignal | undefined;
}

interface ErrorBody {
  error?: { message?: string; code?: string; param?: string | null };
}

/** An error response, or a request without a response (`status` 0). The message can be shown to the user. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly status: number;
  readonly code: string;
  /** The invalid field. */
  readonly param: string | undefined;
  readonly requestId: string | undefined;

  constructor(message: string, { status, code, param, requestId }: Omit<ApiError, 'name' | 'message'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.param = param;
    this.requestId = requestId;
  }
}

let csrfToken: string | undefined;

/** The session's CSRF token stays in memory. Every change sends it. */
export function setCsrfToken(token: string | undefined): void {
  csrfToken = token;
}

/** @param path a path of the API, e.g. `/v1/usage` */
export function apiUrl(path: string, query: ApiCall['query'] = {}): URL {
  const url = new URL(path.slice(1), API_ROOT);
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== '') url.searchParams.set(name, String(value));
  }
  return url;
}

/**
 * Calls an endpoint of the API with the session of the page.
 * @throws ApiError, or the signal's reason if the call is aborted
 */
export async function callApi<T>(path: string, { method = 'GET', query, body, signal }: ApiCall = {}): Promise<T> {
  const response = await fetchApi(apiUrl(path, query), {
    method,
    ...(signal && { signal }),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });
  // The cast is safe because the endpoint's schema describes its response.
  if (response.ok) return (await response.json()) as T;
  throw await errorOf(response);
}

/**
 * Sends a request with the session of the page. @returns the response, also if it is an error
 * @throws ApiError without a response, or the signal's reason
 */
export async function fetchApi(url: URL, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers);
  if (init.method !== 'GET' && csrfToken !== undefined) headers.set('x-csrf-token', csrfToken);
  try {
    return await fetch(url, { ...init, headers });
  } catch (error) {
    if (init.signal?.aborted) throw error;
    const message = 'Sluice does not respond. Check that it runs and that the network works.';
    throw new ApiError(message, { status: 0, code: 'unreachable', param: undefined, requestId: undefined });
  }
}

/** Reads an error response of any protocol. */
export async function errorOf(response: Response): Promise<ApiError> {
  // The cast is safe because every field is optional and checked.
  const { error = {} } = (await response.json().catch(() => ({}))) as ErrorBody;
  return new ApiError(error.message ?? `The request failed with status ${response.status}.`, {
    status: response.status,
    code: error.code ?? 'unknown',
    param: error.param ?? undefined,
    requestId: response.headers.get('x-request-id') ?? undefined,
  });
}
