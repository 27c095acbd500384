import type { StreamFeed } from './stream-feed.ts';

/**
 * Keeps an answer that its vendor is making as soon as its id is known: before the client can read it, unless the stream has
 * begun with something else.
 * @param keep must not throw
 * @returns the feed to go on with
 */
export async function storeEarly(feed: StreamFeed, keep: () => Promise<void>): Promise<StreamFeed> {
  const { progress } = feed.writer;
  if (progress.responseId !== undefined) {
    await keep();
    return feed;
  }
  let isKept = false;
  return {
    ...feed,
    feed: (target) =>
      feed.feed({
        ...target,
        text: (text, encoding) => {
          if (!isKept && progress.responseId !== undefined) {
            isKept = true;
            void keep();
          }
          return target.text(text, encoding);
        },
      }),
  };
}
