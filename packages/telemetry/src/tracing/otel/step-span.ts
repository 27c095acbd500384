import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TraceAttributes, TraceIds } from '../span-values.ts';
import type { AttemptStart, AttemptTrace, StepStart, StepTrace } from '../tracing.ts';
import { AttemptSpan } from './attempt-span.ts';
import { definedAttributes, idsOf, type OpenSpan, type SpanKit } from './span-kit.ts';

export class StepSpan implements StepTrace {
  readonly #kit: SpanKit;
  readonly #open: OpenSpan | undefined;
  readonly #task: string | undefined;

  constructor(kit: SpanKit, task: string | undefined, { name, attributes, startedAt }: StepStart) {
    this.#kit = kit;
    this.#task = task;
    // A task that was created without traces is only measured.
    if (!kit.traces || task === undefined) return;
    const context = kit.traces.propagation.decode(task);
    const messaging = { 'messaging.system': 'sluice', 'messaging.operation.type': 'process' };
    const options = {
      kind: SpanKind.CONSUMER,
      attributes: definedAttributes({ ...messaging, ...attributes }),
      ...(startedAt !== undefined && { startTime: startedAt }),
    };
    const span = kit.traces.tracer.startSpan(name, options, context);
    this.#open = { span, context: trace.setSpan(context, span) };
  }

  get ids(): TraceIds | undefined {
    return this.#open && idsOf(this.#open);
  }

  startCall(call: AttemptStart): AttemptTrace {
    return new AttemptSpan(call, { kit: this.#kit, parent: this.#open, attributes: {} });
  }

  addPeriod({ name, startedAt, endedAt, attributes }: Parameters<StepTrace['addPeriod']>[0]): void {
    const { traces } = this.#kit;
    if (!traces || this.#task === undefined) return;
    const parent = traces.propagation.decode(this.#task);
    const options = { startTime: startedAt, attributes: definedAttributes(attributes) };
    traces.tracer.startSpan(name, options, parent).end(Math.max(startedAt, endedAt));
  }

  addEvent(name: string, attributes: TraceAttributes = {}): void {
    this.#open?.span.addEvent(name, definedAttributes(attributes));
  }

  end({ attributes = {}, error }: Parameters<StepTrace['end']>[0]): void {
    if (!this.#open) return;
    const { span } = this.#open;
    span.setAttributes(definedAttributes({ ...attributes, 'error.type': error }));
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end();
  }
}
