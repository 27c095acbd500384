import { describe, expect, it } from 'vitest';
import { type ApiRig, KEYS } from './api-rig.ts';
import { head, multipartRequest, PNG, rawHttp } from './raw-http.ts';

interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: unknown;
}

/** Sends a request to an API. */
export type Send = (rig: ApiRig) => Promise<ReceivedResponse>;

/** A request that must be rejected: the test title, the request, the error code, and the field that the error names. */
export type BadRequest = [title: string, send: Send, code: string, param?: string | null];

/** Alice's key as a header. */
export const auth = { authorization: `Bearer ${KEYS.alice}` };

/** An image to send in a form. */
export const png = new Blob([PNG], { type: 'image/png' });

/** The form field that every video request needs. */
export const prompt: [string, string] = ['prompt', 'a kite'];

async function read(response: Response): Promise<ReceivedResponse> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Sends any request, with Alice's key unless `init` has headers. */
export function send(method: string, at: string, init: RequestInit = {}): Send {
  return async (rig) => read(await rig.call(at, { method, ...init }));
}

/** Sends a JSON body, with Alice's key unless `headers` has another. A string is sent unchanged. */
export function sendJson(method: string, at: string, body: unknown, headers: Record<string, string> = {}): Send {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return send(method, at, { body: text, headers: { ...auth, 'content-type': 'application/json', ...headers } });
}

/** Creates a video from a JSON body. */
export const post = (body: unknown, headers?: Record<string, string>): Send =>
  sendJson('POST', '/v1/videos', body, headers);

/** Creates a video from a form. Each field is a name and a value, and for files also a file name. */
export function form(...fields: [string, string | Blob, string?][]): Send {
  return async (rig) => {
    const data = new FormData();
    for (const [name, value, filename] of fields) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, filename ?? 'a.png');
    }
    return send('POST', '/v1/videos', { body: data })(rig);
  };
}

/** Sends bytes on a separate connection. */
export function raw(...chunks: (string | Buffer)[]): Send {
  return async (rig) => {
    const { status, headers, body } = await rawHttp(rig.port, chunks);
    return { status, headers, body: JSON.parse(body) };
  };
}

/** Sends a form made of raw parts. */
export const parts = (...rawParts: (string | Buffer)[]): Send => raw(multipartRequest(KEYS.alice, rawParts));

/** Sends a form body as one chunk without a Content-Length. */
export const chunked = (body: Buffer): Send =>
  raw(
    head(KEYS.alice, 'multipart/form-data; boundary=b', 'transfer-encoding: chunked'),
    `${body.byteLength.toString(16)}\r\n`,
    body,
    '\r\n0\r\n\r\n',
  );

/**
 * Registers one test for each bad request, grouped by response status.
 * @param envelope the fields beside `error` in the protocol's error format
 */
export function testRejections(
  rig: () => ApiRig,
  requests: Readonly<Record<number, readonly BadRequest[]>>,
  envelope: Readonly<Record<string, unknown>> = {},
): void {
  describe.each(Object.entries(requests))('%s', (status, rows) => {
    it.each(rows)('%s', (_title, request, code, param = null) =>
      expectRejection(rig(), request, { status: Number(status), code, param }, envelope),
    );
  });
}

/** Checks that a request receives an error in the protocol's format, creates no task, and stores no file. */
async function expectRejection(
  rig: ApiRig,
  request: Send,
  { status, code, param }: { status: number; code: string; param: string | null },
  envelope: Readonly<Record<string, unknown>>,
): Promise<void> {
  const reply = await request(rig);
  expect(reply).toMatchObject({ status, body: { error: { code } } });
  expect(reply.body).toEqual({
    ...envelope,
    error: { code, message: expect.any(String), type: expect.any(String), param },
  });
  expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(reply.headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{32}$/);
  expect(reply.headers.get('request-id')).toBe(reply.headers.get('x-request-id'));
  expect(reply.headers.get('x-should-retry')).toBe('false');
  expect(JSON.stringify(reply.body)).not.toMatch(/secret|sk-alice|node_modules|at \w+ \(/);
  expect(await rig.storedFiles()).toEqual([]);
  expect(await rig.taskIds()).toEqual([]);
}
