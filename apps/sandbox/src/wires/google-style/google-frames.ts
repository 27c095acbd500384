import { googleError } from './google-error.ts';

/** Yields server-sent events that end with `\r\n\r\n`, or a JSON array element by element. */
export function* generativeFrames(responses: Iterable<object>, asEvents: boolean): Generator<string> {
  let before = '[';
  for (const response of responses) {
    yield asEvents ? `data: ${JSON.stringify(response)}\r\n\r\n` : `${before}${JSON.stringify(response)}`;
    before = ',\r\n';
  }
  if (!asEvents) yield ']\r\n';
}

/** Returns the error that aborts a stream: an event, or the last array element. */
export function generativeFailure(asEvents: boolean, sent: number): string {
  const error = JSON.stringify(googleError(503, 'The model is overloaded. Please try again later.'));
  if (asEvents) return `data: ${error}\r\n\r\n`;
  return `${sent === 0 ? '[' : ',\r\n'}${error}]\r\n`;
}
