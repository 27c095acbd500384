import type { TraceAttributes, TraceHeaders, TraceIds } from './span-values.ts';

/**
 * Creates spans and measures calls of models. Spans are passed explicitly, because a context manager would cost each
 * asynchronous step of every request. Absent if no `OTEL_*` variable configures an exporter.
 */
export interface Tracing {
  /** Starts the span of an HTTP request, in the trace of the client if its headers contain one. */
  startRequest(request: RequestStart): RequestTrace;
  /** Starts the span of a step that a worker runs. @param context the trace of the task */
  startStep(context: string | undefined, step: StepStart): StepTrace;
  /** Replaces the upstreams, after a reload of the configuration. */
  setUpstreams(upstreams: Readonly<Record<string, { kind: string; base_url: string }>>): void;
  /** Exports all ended spans. Gives up after a few seconds. */
  close(): Promise<void>;
}

export interface RequestStart {
  id: string;
  method: string;
  /** The pattern of the path (e.g. `/v1/videos/:task_id`). */
  route: string | undefined;
  /** Without the query, which may contain a credential. */
  path: string;
  scheme: string;
  host: string | undefined;
  headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** The span of an HTTP request. It ends when the last byte was sent. */
export interface RequestTrace {
  /** Undefined if traces are not exported. */
  readonly ids: TraceIds | undefined;
  startAttempt(attempt: AttemptStart): AttemptTrace;
  startTask(task: TaskStart): TaskTrace;
  /** Adds a span of the download to the task's trace. It ends with the request. @param context the trace of the task */
  continueTask(context: string, attributes: TraceAttributes): void;
  addEvent(name: string, attributes?: TraceAttributes): void;
  /** @param describe called only if a span is exported */
  end(describe: () => RequestEnd): void;
}

export interface RequestEnd {
  status: number;
  isAborted: boolean;
  /** Size of the body. Undefined if the response is incomplete or has no declared length. */
  bytes?: number | undefined;
  attributes: TraceAttributes;
}

export interface AttemptStart {
  /** `gen_ai.operation.name` */
  operation: string;
  upstream: string;
  /** The model's name at the upstream. */
  model: string | undefined;
}

/** The span of one call of an upstream. */
export interface AttemptTrace {
  readonly ids: TraceIds | undefined;
  /** Headers that continue the trace at the upstream. */
  readonly headers: TraceHeaders | undefined;
  /** Whether the attributes are exported. If not, the caller need not compute them. */
  readonly isRecording: boolean;
  /** Whether metrics of the call are exported. */
  readonly isMeasuring: boolean;
  /** The maximum number of characters of prompts and responses in the span. 0 unless their capture is enabled. */
  readonly contentChars: number;
  set(facts: ResponseFacts): void;
  setAttributes(attributes: TraceAttributes): void;
  /** Adds attributes that are computed when the span ends. Must not throw. */
  setAtEnd(attributes: () => TraceAttributes): void;
  /** The first event of a stream has arrived. */
  responded(): void;
  /** A chunk of a stream has arrived. Called only if {@link isMeasuring} is true. */
  chunkArrived(): void;
  /** Only the first call of this method or {@link measure} has an effect. */
  end(failure?: AttemptFailureFacts): void;
  /** Ends the call without exporting its span. */
  measure(): void;
}

export interface AttemptFailureFacts {
  /** `error.type` */
  type: string;
  /** The HTTP status of the upstream. */
  status?: number | undefined;
}

export interface ResponseFacts {
  usage?: TokenUsage | undefined;
  id?: string | undefined;
  model?: string | undefined;
  finishReasons?: readonly string[] | undefined;
}

/** The input includes cached tokens. */
export interface TokenUsage {
  inputTokens: number;
  outputTokens: number;
  cachedTokens?: number | undefined;
  cacheWriteTokens?: number | undefined;
  reasoningTokens?: number | undefined;
}

export interface TaskStart {
  /** `video` or `image` */
  kind: string;
  model: string;
  upstream: string;
}

/** The span of a task's creation. The steps of the task are its children. */
export interface TaskTrace {
  /** The text that the task's record stores. */
  readonly context: string | undefined;
  end(end: { id?: string; isReplayed?: boolean; error?: string; earlier?: string | undefined }): void;
}

export interface StepStart {
  name: string;
  attributes: TraceAttributes;
  /** Unix milliseconds. By default, now. */
  startedAt?: number;
}

/** The span of a step of a task. A step that is not ended is not exported. */
export interface StepTrace {
  readonly ids: TraceIds | undefined;
  /** Starts the span of a call of the task's upstream. */
  startCall(call: AttemptStart): AttemptTrace;
  /** Adds a span of a period that is over. Times are Unix milliseconds. */
  addPeriod(period: { name: string; startedAt: number; endedAt: number; attributes: TraceAttributes }): void;
  addEvent(name: string, attributes?: TraceAttributes): void;
  end(end: { attributes?: TraceAttributes; error?: string | undefined }): void;
}
