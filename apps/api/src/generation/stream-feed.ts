import type { ResponseBody, GatewayError } from '@sluice/canonical';
import type { ResponseWriter } from '@sluice/protocols';

interface FeedTarget {
  /** @returns false to pause until {@link StreamFeed.resume} */
  text(text: string, encoding: 'latin1' | 'utf8'): boolean;
  end(): void;
  /** The stream failed. If `isReported` is true, the text sent before already contains the upstream's own error. */
  fail(error: GatewayError, isReported: boolean): void;
}

export interface StreamFeed {
  writer: ResponseWriter;
  feed(target: FeedTarget): void;
  resume(): void;
  abort(): void;
}

/**
 * How long an upstream can take to end its response after the last event. If it does so in time, the connection is
 * reused.
 */
const LINGER_MS = 1_000;

/**
 * Reads an upstream's stream until there is text for the client.
 * @throws GatewayError if the stream fails before that
 */
export function openFeed(
  body: ResponseBody,
  writer: ResponseWriter,
  errorOf: (error: unknown) => GatewayError,
): Promise<StreamFeed> {
  return new FeedReader(body, writer, errorOf).opened;
}

/**
 * A stream is **pending** until its first text: an error rejects the attempt. Then it is **open**: an error is sent to
 * the target. Until a target is attached, the text is buffered and the body is paused. A **closed** stream ignores
 * data.
 */
class FeedReader {
  readonly #body: ResponseBody;
  readonly #writer: ResponseWriter;
  readonly #errorOf: (error: unknown) => GatewayError;
  readonly #first = Promise.withResolvers<StreamFeed>();
  #target: FeedTarget | undefined;
  #isOpen = false;
  #isClosed = false;
  #buffered = '';
  #ending: (() => void) | undefined;

  constructor(body: ResponseBody, writer: ResponseWriter, errorOf: (error: unknown) => GatewayError) {
    this.#body = body;
    this.#writer = writer;
    this.#errorOf = errorOf;
    body.feed({
      data: (chunk) => this.#read(chunk),
      end: () => {
        if (!this.#isClosed) this.#end();
      },
      fail: (error) => this.#fail(error),
    });
  }

  get opened(): Promise<StreamFeed> {
    return this.#first.promise;
  }

  #open(): void {
    this.#isOpen = true;
    this.#first.resolve({
      writer: this.#writer,
      feed: (target) => this.#attach(target),
      resume: () => this.#body.resume(),
      abort: () => this.#body.abort(),
    });
  }

  #attach(target: FeedTarget): void {
    this.#target = target;
    const shouldContinue = this.#buffered === '' || target.text(this.#buffered, this.#writer.encoding);
    this.#buffered = '';
    if (this.#ending) this.#ending();
    else if (shouldContinue) this.#body.resume();
  }

  #read(chunk: Uint8Array): boolean {
    const { progress } = this.#writer;
    // After the last event, remaining data is read and discarded so that the connection can be reused.
    if (this.#isClosed) return progress.isEnded === true;
    const text = this.#writer.push(chunk);
    if (progress.failed) this.#isClosed = true;
    const shouldContinue = this.#passUnlessFailed(text);
    if (!progress.isEnded || this.#isClosed) return shouldContinue;
    this.#isClosed = true;
    this.#close(undefined);
    setTimeout(() => this.#body.abort(), LINGER_MS).unref();
    return true;
  }

  #passUnlessFailed(text: string): boolean {
    const { failed } = this.#writer.progress;
    if (!failed) return this.#pass(text);
    const error = this.#errorOf(failed);
    if (this.#isOpen) this.#pass(text);
    this.#body.abort();
    this.#close(error);
    return false;
  }

  #pass(text: string): boolean {
    if (text === '') return true;
    if (this.#target) return this.#target.text(text, this.#writer.encoding);
    this.#buffered += text;
    this.#open();
    return false;
  }

  #end(): void {
    this.#isClosed = true;
    const text = this.#writer.end();
    if (this.#writer.progress.failed) {
      this.#passUnlessFailed(text);
      return;
    }
    this.#pass(text);
    this.#close(undefined);
  }

  #fail(error: unknown): void {
    if (this.#isClosed) return;
    // The response was already complete, so the broken connection lost no data.
    if (this.#writer.progress.isFinished) return this.#end();
    this.#isClosed = true;
    this.#close(this.#errorOf(error));
  }

  #close(error: GatewayError | undefined): void {
    if (!this.#isOpen) {
      this.#body.abort();
      if (error) return this.#first.reject(error);
      this.#open();
    }
    const { progress } = this.#writer;
    const ending = (): void => {
      if (error) this.#target?.fail(error, progress.isReported === true);
      else this.#target?.end();
    };
    this.#ending = ending;
    if (this.#target) ending();
  }
}
