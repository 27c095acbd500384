import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api';
import type { TraceAttributes, TraceIds } from '../span-values.ts';
import type { GenAiMetrics } from './genai-metrics.ts';
import type { GenAiNames } from './genai-names.ts';
import type { Propagation } from './propagation.ts';

/** The parts that all spans of a process share. */
export interface SpanKit {
  /** Undefined if traces are not exported. */
  traces: { tracer: Tracer; propagation: Propagation } | undefined;
  metrics: GenAiMetrics | undefined;
  names: GenAiNames;
  contentChars: number;
  /** Attributes of each upstream's provider and server. */
  upstreams: ReadonlyMap<string, Attributes>;
}

/** A span, and the context that makes it the parent of others. */
export interface OpenSpan {
  span: Span;
  context: Context;
}

export function idsOf({ span }: OpenSpan): TraceIds {
  return span.spanContext();
}

/** Omits undefined values, which the exporters would encode as empty values. */
export function definedAttributes(attributes: TraceAttributes): Attributes {
  const defined: Attributes = {};
  for (const [name, value] of Object.entries(attributes)) if (value !== undefined) defined[name] = value;
  return defined;
}
