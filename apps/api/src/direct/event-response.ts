import {
  type ResponseBody,
  type ResponseSink,
  type EventsResponse,
  GatewayError,
  UpstreamRefusalError,
  type Usage,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { EventWatcher } from '@sluice/protocols';

export interface EventCodec {
  openWatcher(): EventWatcher;
  encodeErrorEvent(this: void, error: GatewayError): string;
}

/**
 * Relays events unchanged up to an error event, which is replaced by Sluice's own error event. If the error is the
 * first event, the client receives an HTTP error.
 */
export class EventResponse implements ResponseBody {
  /** The upstream's error, with the message sent to the client. */
  failure: UpstreamRefusalError | undefined;
  readonly #response: Pick<EventsResponse, 'body' | 'refusal'>;
  readonly #codec: EventCodec;
  readonly #watcher: EventWatcher;
  readonly #begun = Promise.withResolvers<void>();
  /** Bytes received before a reader is attached. */
  #buffered: Uint8Array[] = [];
  #sink: ResponseSink | undefined;
  #ended: { error: unknown } | 'complete' | undefined;

  private constructor(response: Pick<EventsResponse, 'body' | 'refusal'>, codec: EventCodec) {
    this.#response = response;
    this.#codec = codec;
    this.#watcher = codec.openWatcher();
    response.body.feed({
      data: (chunk) => this.#take(() => this.#watcher.push(chunk)),
      end: () => {
        this.#take(() => this.#watcher.end());
        this.#end('complete');
      },
      fail: (error) => this.#end({ error }),
    });
  }

  /**
   * @throws UpstreamRefusalError if the first event is an error
   * @throws the body's own error if the stream is cut short before the first event
   */
  static async open(response: Pick<EventsResponse, 'body' | 'refusal'>, codec: EventCodec): Promise<EventResponse> {
    const events = new EventResponse(response, codec);
    await events.#begun.promise;
    return events;
  }

  get isFinished(): boolean {
    return this.#watcher.isFinished || this.failure !== undefined;
  }

  get usage(): Usage | undefined {
    return this.#watcher.usage;
  }

  feed(sink: ResponseSink): void {
    this.#sink = sink;
    const buffered = this.#buffered;
    this.#buffered = [];
    const shouldContinue = buffered.length === 0 || sink.data(Buffer.concat(buffered));
    if (this.#ended !== undefined) this.#report(sink, this.#ended);
    else if (shouldContinue) this.#response.body.resume();
  }

  resume(): void {
    if (this.#ended === undefined) this.#response.body.resume();
  }

  abort(): void {
    this.#buffered = [];
    this.#response.body.abort();
  }

  collect(): Promise<Uint8Array> {
    throw new Error('relayed events must be read in order');
  }

  /** Relays the events that the watcher accepts. @returns whether to continue reading */
  #take(read: () => Uint8Array): boolean {
    if (this.#ended !== undefined) return false;
    let passed: Uint8Array;
    try {
      passed = read();
    } catch (error) {
      this.#end({ error });
      this.#response.body.abort();
      return false;
    }
    const shouldContinue = this.#pass(passed);
    if (this.#watcher.failure === undefined) return shouldContinue;
    this.#fail(this.#response.refusal(this.#watcher.failure));
    return false;
  }

  #pass(bytes: Uint8Array): boolean {
    if (bytes.byteLength === 0) return true;
    if (this.#sink !== undefined) return this.#sink.data(bytes);
    this.#buffered.push(bytes);
    // Keep-alive comments are not events.
    if (!this.#watcher.hasStarted) return true;
    this.#begun.resolve();
    return false;
  }

  #fail(refusal: UpstreamRefusalError): void {
    if (!this.#watcher.hasStarted) {
      this.#end({ error: refusal });
    } else {
      this.failure = refusal;
      this.#pass(Buffer.from(this.#codec.encodeErrorEvent(refusal.error)));
      this.#end('complete');
    }
    this.#response.body.abort();
  }

  #end(outcome: { error: unknown } | 'complete'): void {
    if (this.#ended !== undefined) return;
    this.#ended = outcome;
    // Has no effect after the first event.
    this.#begun.reject(outcome === 'complete' ? emptyResponse() : outcome.error);
    if (this.#sink !== undefined) this.#report(this.#sink, outcome);
  }

  #report(sink: ResponseSink, outcome: { error: unknown } | 'complete'): void {
    if (outcome === 'complete') sink.end();
    else sink.fail(outcome.error);
  }
}

function emptyResponse(): UpstreamRefusalError {
  return new UpstreamRefusalError(502, new GatewayError('provider_error', UPSTREAM_MESSAGES.noContent));
}
