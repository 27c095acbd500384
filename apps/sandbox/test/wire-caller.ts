import { renderImage } from '../src/media/image/render-image.ts';

export interface WireResponse {
  status: number;
  headers: Headers;
  body: Record<string, unknown>;
}

export type WireCall = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<WireResponse>;

function parse(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/** @param defaultHeaders headers of all calls. A call omits one by setting it to an empty string. */
export function wireCaller(base: () => string, defaultHeaders: Record<string, string>): WireCall {
  return async (method, path, body, more = {}) => {
    const all = Object.entries({ 'content-type': 'application/json', ...defaultHeaders, ...more });
    const response = await fetch(`${base()}${path}`, {
      method,
      headers: Object.fromEntries(all.filter(([, value]) => value !== '')),
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: parse(await response.text()) };
  };
}

/** Returns the value at a path such as `output.results.0.url`. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((here, step) => Object(here)[step], value);
}

export function imageUrl(width: number, height: number): string {
  return `data:image/png;base64,${renderImage({ prompt: 'kite', width, height }).toString('base64')}`;
}

/** Downloads files for clients that reject loopback addresses. */
export async function download({ url }: { url: URL }): Promise<{ data: Uint8Array; mediaType: string | undefined }> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status} for a file`);
  return { data: await response.bytes(), mediaType: response.headers.get('content-type') ?? undefined };
}
