import type { ResponseBody, ResponseSink } from '@sluice/canonical';
import { UpstreamError } from '../http/upstream-error.ts';
import { EventStreamDecoder, type EventStreamMessage } from './event-stream-decoder.ts';

/**
 * Converts the body of an event stream to server-sent events, message by message and with the reader's backpressure.
 * `event` is the event's or exception's type, and `data` its JSON. A stream that is invalid, or that ends inside a
 * message, fails.
 */
export function asServerSentEvents(body: ResponseBody): ResponseBody {
  return {
    feed: (sink) => body.feed(converting(body, sink)),
    resume: () => body.resume(),
    abort: () => body.abort(),
    collect: (maxBytes) => collect(body, maxBytes),
  };
}

function converting(body: ResponseBody, sink: ResponseSink): ResponseSink {
  const decoder = new EventStreamDecoder();
  let hasFailed = false;
  const fail = (error: unknown): void => {
    if (hasFailed) return;
    hasFailed = true;
    sink.fail(error);
  };
  return {
    data: (chunk) => {
      if (hasFailed) return true;
      let text: string;
      try {
        text = decoder.push(chunk).map(eventOf).join('');
      } catch (error) {
        fail(new UpstreamError('reset', 'maybe', error));
        body.abort();
        return true;
      }
      return text === '' || sink.data(Buffer.from(text));
    },
    end: () => {
      if (decoder.isPending) fail(new UpstreamError('reset', 'maybe'));
      else if (!hasFailed) sink.end();
    },
    fail,
  };
}

function eventOf({ headers, payload }: EventStreamMessage): string {
  const type = headers[':message-type'];
  if (type === 'error') {
    const data = JSON.stringify({ message: headers[':error-message'] ?? '' });
    return `event: ${lineOf(headers[':error-code'] ?? 'Unknown')}Exception\ndata: ${data}\n\n`;
  }
  const name = headers[type === 'exception' ? ':exception-type' : ':event-type'] ?? '';
  return `event: ${lineOf(name)}\ndata: ${payload.toString().replaceAll(/\r\n|\r|\n/g, '\ndata: ')}\n\n`;
}

/** A name with a line break would end the event. */
function lineOf(name: string): string {
  return name.replaceAll(/[\r\n]/g, ' ');
}

function collect(body: ResponseBody, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    const sink: ResponseSink = {
      data: (chunk) => {
        bytes += chunk.byteLength;
        if (bytes <= maxBytes) chunks.push(chunk);
        else {
          reject(new UpstreamError('too_large', 'maybe'));
          body.abort();
        }
        return true;
      },
      end: () => resolve(Buffer.concat(chunks)),
      fail: reject,
    };
    body.feed(converting(body, sink));
  });
}
