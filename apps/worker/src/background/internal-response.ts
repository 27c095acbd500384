import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

/** Yields the events of a stream, with their empty lines. */
export async function* eventsIn(body: Readable): AsyncGenerator<string> {
  let rest = '';
  body.setEncoding('utf8');
  for await (const chunk of body) {
    const events = (rest + String(chunk)).split(/(?<=\n\n)/);
    rest = events.at(-1)?.endsWith('\n\n') === true ? '' : (events.pop() ?? '');
    yield* events;
  }
  if (rest !== '') yield rest;
}

/** Reads the error of a response, in the format of OpenAI. */
export async function errorIn(body: Readable): Promise<{ code: string; message: string }> {
  // The cast is safe because the internal API encoded the error.
  const { error } = JSON.parse(await text(body)) as { error: { code?: string | null; type: string; message: string } };
  return { code: error.code ?? error.type, message: error.message };
}

/** Reads the status of a response, e.g. `in_progress`. Undefined if the body has none. */
export async function statusIn(body: Readable): Promise<string | undefined> {
  const response: unknown = JSON.parse(await text(body));
  const isObject = typeof response === 'object' && response !== null && 'status' in response;
  return isObject && typeof response.status === 'string' ? response.status : undefined;
}
