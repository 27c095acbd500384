import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type TextMapPropagator,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { B3InjectEncoding, B3Propagator } from '@opentelemetry/propagator-b3';
import type { Propagator } from '../otel-settings.ts';
import type { TraceHeaders } from '../span-values.ts';

/** Carries a trace from the client to the upstream, and from a task's creation to its steps. */
export class Propagation {
  readonly #propagators: readonly TextMapPropagator[];
  readonly #stored = new W3CTraceContextPropagator();

  constructor(names: readonly Propagator[]) {
    this.#propagators = names.map(propagatorOf);
  }

  /** Returns the context of the first format that the headers contain. */
  extract(headers: Readonly<Record<string, string | string[] | undefined>>): Context {
    for (const propagator of this.#propagators) {
      const context = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      if (context !== ROOT_CONTEXT) return context;
    }
    return ROOT_CONTEXT;
  }

  headersOf(context: Context): TraceHeaders {
    const headers: Record<string, string> = {};
    for (const propagator of this.#propagators) propagator.inject(context, headers, defaultTextMapSetter);
    return headers;
  }

  /** Encodes a context for a task's record: `traceparent`, and `tracestate` after a space if there is one. */
  encode(context: Context): string {
    const carrier: Record<string, string> = {};
    this.#stored.inject(context, carrier, defaultTextMapSetter);
    const { traceparent = '', tracestate } = carrier;
    return tracestate === undefined ? traceparent : `${traceparent} ${tracestate}`;
  }

  /** @returns the root context if the text is invalid */
  decode(text: string | undefined): Context {
    if (text === undefined) return ROOT_CONTEXT;
    const [traceparent = '', ...state] = text.split(' ');
    const carrier = { traceparent, ...(state.length > 0 && { tracestate: state.join(' ') }) };
    return this.#stored.extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
  }
}

function propagatorOf(name: Propagator): TextMapPropagator {
  switch (name) {
    case 'tracecontext':
      return new W3CTraceContextPropagator();
    case 'b3':
      return new B3Propagator({ injectEncoding: B3InjectEncoding.SINGLE_HEADER });
    case 'b3multi':
      return new B3Propagator({ injectEncoding: B3InjectEncoding.MULTI_HEADER });
  }
}
