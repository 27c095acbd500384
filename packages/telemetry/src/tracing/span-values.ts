export interface TraceIds {
  readonly traceId: string;
  readonly spanId: string;
  /** 1 if the span is exported. */
  readonly traceFlags: number;
}

/** Headers that carry a trace (e.g. `traceparent`), by lowercase name. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** Undefined values are omitted. */
export type TraceAttributes = Readonly<Record<string, string | number | boolean | string[] | undefined>>;

/** Returns log fields that join a line to a span. Empty if traces are off. */
export function traceFields(traced: { readonly ids: TraceIds | undefined } | undefined): {
  trace_id?: string;
  span_id?: string;
} {
  const ids = traced?.ids;
  return ids ? { trace_id: ids.traceId, span_id: ids.spanId } : {};
}

/** Returns the id of a trace that is exported, e.g. for an exemplar. */
export function exportedTraceId(traced: { readonly ids: TraceIds | undefined } | undefined): string | undefined {
  const ids = traced?.ids;
  return ids?.traceFlags === 1 ? ids.traceId : undefined;
}
