import { type Attributes, type Span, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TraceAttributes, TraceIds } from '../span-values.ts';
import type {
  AttemptStart,
  AttemptTrace,
  RequestEnd,
  RequestStart,
  RequestTrace,
  TaskStart,
  TaskTrace,
} from '../tracing.ts';
import { AttemptSpan } from './attempt-span.ts';
import { definedAttributes, idsOf, type OpenSpan, type SpanKit } from './span-kit.ts';
import { TaskSpan } from './task-span.ts';

export class RequestSpan implements RequestTrace {
  readonly #kit: SpanKit;
  readonly #open: OpenSpan | undefined;
  readonly #startedAt = performance.now();
  readonly #downloads: Span[] = [];
  #attempts = 0;
  #served: AttemptSpan | undefined;

  constructor(kit: SpanKit, request: RequestStart) {
    this.#kit = kit;
    if (!kit.traces) return;
    const { tracer, propagation } = kit.traces;
    const context = propagation.extract(request.headers);
    const { method, route } = request;
    const name = route === undefined ? method : `${method} ${route}`;
    const span = tracer.startSpan(name, { kind: SpanKind.SERVER }, context);
    // The samplers do not read attributes, so the spans that they drop need none.
    if (span.isRecording()) span.setAttributes(startAttributes(request));
    this.#open = { span, context: trace.setSpan(context, span) };
  }

  get ids(): TraceIds | undefined {
    return this.#open && idsOf(this.#open);
  }

  startAttempt(attempt: AttemptStart): AttemptTrace {
    this.#attempts += 1;
    return new AttemptSpan(attempt, {
      kit: this.#kit,
      parent: this.#open,
      attributes: { 'sluice.attempt': this.#attempts },
      onServed: (served) => (this.#served = served),
    });
  }

  startTask(task: TaskStart): TaskTrace {
    return new TaskSpan(this.#kit, this.#open, task);
  }

  continueTask(context: string, attributes: TraceAttributes): void {
    const { traces } = this.#kit;
    if (!traces || !this.#open) return;
    const own = this.#open.span;
    const parent = traces.propagation.decode(context);
    const task = trace.getSpanContext(parent);
    if (!task) return;
    own.addLink({ context: task, attributes: definedAttributes(attributes) });
    const span = traces.tracer.startSpan(
      'download content',
      { attributes: definedAttributes(attributes), links: [{ context: own.spanContext() }] },
      parent,
    );
    this.#downloads.push(span);
  }

  addEvent(name: string, attributes: TraceAttributes = {}): void {
    if (this.#open?.span.isRecording() === true) this.#open.span.addEvent(name, definedAttributes(attributes));
  }

  end(describe: () => RequestEnd): void {
    const measured = this.#served?.measured(this.#startedAt);
    if (measured && this.#served) this.#kit.metrics?.recordRequest(measured, this.#served.described);
    const recording = this.#downloads.filter((download) => download.isRecording());
    const own = this.#open?.span.isRecording() === true ? this.#open.span : undefined;
    if (recording.length === 0 && !own) return;
    const end = describe();
    for (const download of recording) endHttpSpan(download, end, {});
    const attempts = this.#attempts > 0 ? this.#attempts : undefined;
    if (own) endHttpSpan(own, end, { ...end.attributes, 'sluice.attempts': attempts });
  }
}

function startAttributes({ id, method, route, path, scheme, host, headers }: RequestStart): Attributes {
  const agent = headers['user-agent'];
  return definedAttributes({
    'http.request.method': method,
    'http.route': route,
    'url.path': path,
    'url.scheme': scheme,
    'server.address': host,
    'user_agent.original': typeof agent === 'string' ? agent : undefined,
    'sluice.request.id': id,
  });
}

function endHttpSpan(span: Span, { status, isAborted, bytes }: RequestEnd, attributes: TraceAttributes): void {
  const error = status >= 500 ? String(status) : isAborted ? 'aborted' : undefined;
  const result = {
    'http.response.status_code': status,
    'http.response.body.size': bytes,
    'error.type': error,
  };
  span.setAttributes(definedAttributes({ ...attributes, ...result }));
  if (error !== undefined) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}
