import { expect } from 'vitest';
import { type ApiRig, KEYS } from './api-rig.ts';
import { head, multipartRequest, PNG, rawHttp } from './raw-http.ts';

/** What came back, whichever way it was asked for. */
interface Answer {
  status: number;
  headers: Headers;
  body: unknown;
}

/** A request that an API is sent. */
export type Ask = (rig: ApiRig) => Promise<Answer>;

/** A request that is refused: what it is, the status and code of the answer, and the field that it names. */
export type BadRequest = [what: string, ask: Ask, status: number, code: string, param?: string | null];

/** Alice's key as a header. */
export const auth = { authorization: `Bearer ${KEYS.alice}` };

/** A picture for a form. */
export const png = new Blob([PNG], { type: 'image/png' });

/** The field that every video has, for a form. */
export const prompt: [string, string] = ['prompt', 'a kite'];

async function read(response: Response): Promise<Answer> {
  return { status: response.status, headers: response.headers, body: await response.json() };
}

/** Any request, with Alice's key unless it brings headers. */
export function ask(method: string, at: string, init: RequestInit = {}): Ask {
  return async (rig) => read(await rig.call(at, { method, ...init }));
}

/** A creation in JSON; text is sent as it is. */
export function post(body: unknown, headers: Record<string, string> = {}): Ask {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return ask('POST', '/v1/videos', {
    body: text,
    headers: { ...auth, 'content-type': 'application/json', ...headers },
  });
}

/** A creation by a form: names, values, and of files their names. */
export function form(...fields: [string, string | Blob, string?][]): Ask {
  return async (rig) => {
    const data = new FormData();
    for (const [name, value, filename] of fields) {
      if (typeof value === 'string') data.append(name, value);
      else data.append(name, value, filename ?? 'a.png');
    }
    return ask('POST', '/v1/videos', { body: data })(rig);
  };
}

/** Bytes on a connection. */
export function raw(...chunks: (string | Buffer)[]): Ask {
  return async (rig) => {
    const { status, headers, body } = await rawHttp(rig.port, chunks);
    return { status, headers, body: JSON.parse(body) };
  };
}

/** A form of these parts, written by hand. */
export const parts = (...given: (string | Buffer)[]): Ask => raw(multipartRequest(KEYS.alice, given));

/** The body of a form in one chunk of unknown length. */
export const chunked = (body: Buffer): Ask =>
  raw(
    head(KEYS.alice, 'multipart/form-data; boundary=b', 'transfer-encoding: chunked'),
    `${body.byteLength.toString(16)}\r\n`,
    body,
    '\r\n0\r\n\r\n',
  );

/** Checks that a request is refused in the shape of the protocol, and leaves nothing behind. */
export async function expectBad(rig: ApiRig, [, asked, status, code, param = null]: BadRequest): Promise<void> {
  const reply = await asked(rig);
  expect(reply).toMatchObject({ status, body: { error: { code } } });
  expect(reply.body).toEqual({
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
