import type { StreamFeed } from './stream-feed.ts';

/**
 * Stores a relayed response as soon as its id is known: before the client can read the id, unless the stream begins
 * without it.
 * @param store must not throw
 */
export async function storeEarly(feed: StreamFeed, store: () => Promise<void>): Promise<StreamFeed> {
  const { progress } = feed.writer;
  if (progress.responseId !== undefined) {
    await store();
    return feed;
  }
  let isStored = false;
  return {
    ...feed,
    feed: (target) =>
      feed.feed({
        ...target,
        text: (text, encoding) => {
          if (!isStored && progress.responseId !== undefined) {
            isStored = true;
            void store();
          }
          return target.text(text, encoding);
        },
      }),
  };
}
