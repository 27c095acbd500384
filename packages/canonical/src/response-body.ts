export interface ResponseSink {
  /** @returns false to pause until {@link ResponseBody.resume} */
  data(chunk: Uint8Array): boolean;
  end(): void;
  /** The body broke off, or the call was aborted. No call follows. */
  fail(error: unknown): void;
}

/** An unread body. The receiver must feed it to a sink, collect it, or abort it. */
export interface ResponseBody {
  /** Data that has already arrived is delivered immediately. */
  feed(sink: ResponseSink): void;
  resume(): void;
  /** @throws if the body breaks off or exceeds `maxBytes` */
  collect(maxBytes: number): Promise<Uint8Array>;
  abort(): void;
}
