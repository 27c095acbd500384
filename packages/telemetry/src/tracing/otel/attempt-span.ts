import { type Attributes, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TraceAttributes, TraceHeaders, TraceIds } from '../span-values.ts';
import type { AttemptFailureFacts, AttemptStart, AttemptTrace, ResponseFacts, TokenUsage } from '../tracing.ts';
import type { Measured } from './genai-metrics.ts';
import { definedAttributes, idsOf, type OpenSpan, type SpanKit } from './span-kit.ts';

export interface AttemptOptions {
  kit: SpanKit;
  parent: OpenSpan | undefined;
  /** Attributes of the span only. */
  attributes: Attributes;
  onServed?: (attempt: AttemptSpan) => void;
}

/**
 * A call of an upstream. If its trace is not sampled, it only measures. Every supported sampler then also drops the
 * children, so no span is created.
 */
export class AttemptSpan implements AttemptTrace {
  readonly #start: AttemptStart;
  #described: Attributes | undefined;
  readonly #kit: SpanKit;
  readonly #onServed: AttemptOptions['onServed'];
  readonly #open: OpenSpan | undefined;
  readonly #parent: OpenSpan | undefined;
  readonly #startedAt = performance.now();
  #respondedAt: number | undefined;
  #lastChunkAt: number | undefined;
  #usage: TokenUsage | undefined;
  #atEnd: (() => TraceAttributes) | undefined;
  #isEnded = false;

  constructor(start: AttemptStart, options: AttemptOptions) {
    const { kit, parent, attributes, onServed } = options;
    this.#kit = kit;
    this.#parent = parent;
    this.#onServed = onServed;
    this.#start = start;
    if (!kit.traces || parent?.span.isRecording() !== true) return;
    const { operation, upstream, model } = start;
    const described: Attributes = { ...this.described, 'sluice.upstream': upstream, ...attributes };
    const name = model === undefined ? operation : `${operation} ${model}`;
    const span = kit.traces.tracer.startSpan(name, { kind: SpanKind.CLIENT, attributes: described }, parent.context);
    this.#open = { span, context: trace.setSpan(parent.context, span) };
  }

  /** Attributes of the metrics. The conventions require them when the span starts. */
  get described(): Attributes {
    const { operation, upstream, model } = this.#start;
    return (this.#described ??= {
      'gen_ai.operation.name': operation,
      ...this.#kit.upstreams.get(upstream),
      ...(model !== undefined && { 'gen_ai.request.model': model }),
    });
  }

  get ids(): TraceIds | undefined {
    const open = this.#open ?? this.#parent;
    return open && idsOf(open);
  }

  get headers(): TraceHeaders | undefined {
    const open = this.#open ?? this.#parent;
    return open && this.#kit.traces?.propagation.headersOf(open.context);
  }

  get isRecording(): boolean {
    return this.#open !== undefined;
  }

  get isMeasuring(): boolean {
    return this.#kit.metrics !== undefined;
  }

  get contentChars(): number {
    return this.#open ? this.#kit.contentChars : 0;
  }

  set({ usage, id, model, finishReasons }: ResponseFacts): void {
    if (usage) this.#usage = usage;
    this.setAttributes({
      'gen_ai.response.id': id,
      'gen_ai.response.model': model,
      'gen_ai.response.finish_reasons': finishReasons && [...finishReasons],
    });
  }

  setAttributes(attributes: TraceAttributes): void {
    this.#open?.span.setAttributes(definedAttributes(attributes));
  }

  setAtEnd(attributes: () => TraceAttributes): void {
    if (this.#open) this.#atEnd = attributes;
  }

  responded(): void {
    this.#respondedAt ??= performance.now();
  }

  chunkArrived(): void {
    const now = performance.now();
    if (this.#lastChunkAt !== undefined) {
      this.#kit.metrics?.recordChunk((now - this.#lastChunkAt) / 1_000, this.described);
    }
    this.#lastChunkAt = now;
  }

  end(failure?: AttemptFailureFacts): void {
    if (this.#isEnded) return;
    const measured = this.#measure(failure);
    if (this.#open) this.#endSpan(this.#open, measured, failure);
    if (!failure) this.#onServed?.(this);
  }

  measure(): void {
    if (!this.#isEnded) this.#measure();
  }

  #measure(failure?: AttemptFailureFacts): Measured {
    this.#isEnded = true;
    const measured = this.measured();
    const failed = failure && { 'error.type': failure.type };
    this.#kit.metrics?.recordCall(measured, failed ? { ...this.described, ...failed } : this.described);
    return measured;
  }

  /** @param startedAt the start of the request, for the metrics of the server */
  measured(startedAt = this.#startedAt): Measured {
    const first = this.#respondedAt;
    return {
      seconds: (performance.now() - startedAt) / 1_000,
      secondsToFirst: first === undefined ? undefined : (first - startedAt) / 1_000,
      usage: this.#usage,
    };
  }

  #endSpan({ span }: OpenSpan, { secondsToFirst }: Measured, failure: AttemptFailureFacts | undefined): void {
    if (this.#atEnd) this.setAttributes(this.#atEnd());
    const usage = this.#usage;
    span.setAttributes(
      definedAttributes({
        'gen_ai.usage.input_tokens': usage?.inputTokens,
        'gen_ai.usage.output_tokens': usage?.outputTokens,
        'gen_ai.usage.cache_read.input_tokens': usage?.cachedTokens,
        [this.#kit.names.cacheWriteTokens]: usage?.cacheWriteTokens,
        'gen_ai.usage.reasoning.output_tokens': usage?.reasoningTokens,
        'gen_ai.response.time_to_first_chunk': secondsToFirst,
        'http.response.status_code': failure?.status,
        'error.type': failure?.type,
      }),
    );
    if (failure) span.setStatus({ code: SpanStatusCode.ERROR, message: failure.type });
    span.end();
  }
}
