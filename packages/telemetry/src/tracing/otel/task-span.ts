import { SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TaskStart, TaskTrace } from '../tracing.ts';
import { definedAttributes, type OpenSpan, type SpanKit } from './span-kit.ts';

/** The creation of a task. It continues the trace even if the trace is not sampled, so that no step is sampled alone. */
export class TaskSpan implements TaskTrace {
  readonly #kit: SpanKit;
  readonly #open: OpenSpan | undefined;

  constructor(kit: SpanKit, parent: OpenSpan | undefined, { kind, model, upstream }: TaskStart) {
    this.#kit = kit;
    if (!kit.traces || !parent) return;
    const attributes = {
      'messaging.system': 'sluice',
      'messaging.operation.type': 'send',
      'messaging.operation.name': 'create_task',
      'messaging.destination.name': upstream,
      'gen_ai.request.model': model,
      'sluice.task.kind': kind,
    };
    const options = { kind: SpanKind.PRODUCER, attributes };
    const span = kit.traces.tracer.startSpan(`create_task ${model}`, options, parent.context);
    this.#open = { span, context: trace.setSpan(parent.context, span) };
  }

  get context(): string | undefined {
    return this.#open && this.#kit.traces?.propagation.encode(this.#open.context);
  }

  end({ id, isReplayed, error, earlier }: Parameters<TaskTrace['end']>[0]): void {
    if (!this.#open) return;
    const { span } = this.#open;
    const attributes = { 'sluice.task.id': id, 'sluice.task.replayed': isReplayed, 'error.type': error };
    span.setAttributes(definedAttributes({ ...attributes, 'messaging.message.id': id }));
    const context = trace.getSpanContext(this.#kit.traces?.propagation.decode(earlier) ?? this.#open.context);
    if (earlier !== undefined && context) span.addLink({ context });
    if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    span.end();
  }
}
