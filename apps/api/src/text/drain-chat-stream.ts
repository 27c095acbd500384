import type { GatewayError } from '@sluice/canonical';
import { createSseParser } from '@sluice/protocols';
import type { StreamFeed } from '../generation/stream-feed.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Charge } from '../metering/charge.ts';

/** Converts a chat stream's chunks to another encoding and writes them. @returns the error of a stream cut short */
export function drainChatStream(
  feed: StreamFeed,
  stream: EventStream,
  encode: (chunk: unknown) => string,
  charge: Charge | undefined,
): Promise<GatewayError | undefined> {
  const { promise, resolve } = Promise.withResolvers<GatewayError | undefined>();
  const parser = createSseParser();
  feed.feed({
    text: (text, encoding) => {
      charge?.addSent(text);
      const frames = parser.push(Buffer.from(text, encoding)).filter(({ data }) => data !== '[DONE]');
      const encoded = frames.map(({ data }) => encode(JSON.parse(data))).join('');
      return encoded === '' || stream.write(encoded, 'utf8');
    },
    end: () => resolve(undefined),
    fail: (error) => {
      charge?.interrupted();
      resolve(error);
    },
  });
  return promise;
}
