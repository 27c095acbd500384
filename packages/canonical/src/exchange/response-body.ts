export interface ResponseSink {
  /** @returns false to pause until {@link ResponseBody.resume} */
  data(chunk: Uint8Array): boolean;
  end(): void;
  /** The body ended early, or the call was aborted. No other method is called afterwards. */
  fail(error: unknown): void;
}

/** A response body that has not been read yet. The receiver must feed it to a sink, collect it, or abort it. */
export interface ResponseBody {
  /** Delivers data to the sink. Data that has already arrived is delivered immediately. */
  feed(sink: ResponseSink): void;
  resume(): void;
  /** @throws if the body ends early or exceeds `maxBytes` */
  collect(maxBytes: number): Promise<Uint8Array>;
  abort(): void;
}
