import type { ResponseBody, GatewayError } from '@sluice/canonical';
import type { ResponseWriter } from '@sluice/protocols';

/** Where a streamed answer goes once its first text is there. */
interface FeedTarget {
  /** @returns false to be given no more until {@link StreamFeed.resume} */
  text(text: string, encoding: 'latin1' | 'utf8'): boolean;
  /** The answer is through. */
  end(): void;
  /** It went wrong in the middle; `told` when the upstream's own words were in the text. */
  fail(error: GatewayError, told: boolean): void;
}

/** A stream whose first text for the client is there. */
export interface StreamFeed {
  writer: ResponseWriter;
  /** Hands over what there is and what comes. */
  feed(target: FeedTarget): void;
  resume(): void;
  /** Ends the upstream's call. */
  abort(): void;
}

/** How long an upstream may keep a connection open after its last word. */
const LINGER_MS = 1_000;

/**
 * Reads an upstream's stream up to the first text that the client would see.
 * @param errorOf what a broken connection is in our words
 * @throws GatewayError what the upstream, its connection or its ending says before that
 */
export function openFeed(
  body: ResponseBody,
  writer: ResponseWriter,
  errorOf: (error: unknown) => GatewayError,
): Promise<StreamFeed> {
  const first = Promise.withResolvers<StreamFeed>();
  const { progress, encoding } = writer;
  let target: FeedTarget | undefined;
  let isOpen = false;
  let isClosed = false;
  let waiting = '';
  let ending: (() => void) | undefined;

  const feed: StreamFeed = {
    writer,
    feed: (to) => {
      target = to;
      const wantsMore = waiting === '' || to.text(waiting, encoding);
      waiting = '';
      if (ending) ending();
      else if (wantsMore) body.resume();
    },
    resume: () => body.resume(),
    abort: () => body.abort(),
  };

  function pass(text: string): boolean {
    if (text === '') return true;
    if (target) return target.text(text, encoding);
    waiting += text;
    isOpen = true;
    first.resolve(feed);
    return false;
  }

  function close(error: GatewayError | undefined): void {
    if (!isOpen) {
      body.abort();
      if (error) return first.reject(error);
      isOpen = true;
      first.resolve(feed);
    }
    ending = () => (error ? target?.fail(error, progress.isReported === true) : target?.end());
    if (target) ending();
  }

  /** An error before the first text is the attempt's; later it is the client's. */
  function passUnlessFailed(text: string): boolean {
    if (!progress.failed) return pass(text);
    const error = errorOf(progress.failed);
    if (isOpen) pass(text);
    body.abort();
    close(error);
    return false;
  }

  /** The answer is whole: the client has its end now, and the upstream a moment to let the connection go on living. */
  function finish(): void {
    isClosed = true;
    close(undefined);
    setTimeout(() => body.abort(), LINGER_MS).unref();
  }

  function end(): void {
    isClosed = true;
    const text = writer.end();
    if (progress.failed) passUnlessFailed(text);
    else {
      pass(text);
      close(undefined);
    }
  }

  body.feed({
    data: (chunk) => {
      // What follows the end is read and thrown away.
      if (isClosed) return progress.isThrough === true;
      const text = writer.push(chunk);
      if (progress.failed) isClosed = true;
      const wantsMore = passUnlessFailed(text);
      if (!progress.isThrough || isClosed) return wantsMore;
      finish();
      return true;
    },
    end: () => {
      if (!isClosed) end();
    },
    fail: (error) => {
      if (isClosed) return;
      // A connection that breaks after the last word has taken nothing away.
      if (progress.isFinished) return end();
      isClosed = true;
      close(errorOf(error));
    },
  });
  return first.promise;
}
