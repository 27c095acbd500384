import type { GatewayError } from '@sluice/canonical';
import { createSseParser } from '@sluice/protocols';
import type { StreamFeed } from '../generation/stream-feed.ts';
import type { EventStream } from '../http/event-stream.ts';
import type { Charge } from '../metering/charge.ts';

/** Writes the chunks of one chat stream in another encoding. @returns the error of a stream that broke off */
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
