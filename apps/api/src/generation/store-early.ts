import type { StreamFeed } from './stream-feed.ts';

/**
 * Stores a relayed response as soon as its id is known. The id is forwarded to the client only after that, unless the
 * stream starts without an id.
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
