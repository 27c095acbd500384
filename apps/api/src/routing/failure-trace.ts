import { GatewayError } from '@sluice/canonical';
import { messageHash } from '@sluice/telemetry';

/**
 * Log fields of an error. Bodies and messages are omitted, because they may name hosts and accounts or quote the
 * prompt.
 */
export interface FailureTrace {
  type: string;
  /** The gateway's error code (e.g. `provider_error`). For a cause, the network's error code (e.g. `ECONNRESET`). */
  code?: string;
  status?: number;
  upstream_status?: number;
  /** A hash of the message, which may be the vendor's and may quote the prompt. */
  message_hash?: string;
  failure?: string;
  stack?: string;
  cause?: FailureTrace;
}

const MAX_DEPTH = 3;

const traces = new WeakSet<object>();

/**
 * Creates an error's trace, or returns the one that {@link traced} stored in it.
 * @param upstreamStatus the HTTP status of the upstream's rejection
 */
export function failureTrace(error: GatewayError, upstreamStatus?: number): FailureTrace {
  const { name, code, status, message, cause } = error;
  if (isTrace(cause)) return cause;
  const trace: FailureTrace = {
    type: name,
    code,
    status,
    ...(upstreamStatus !== undefined && { upstream_status: upstreamStatus }),
    message_hash: messageHash(message),
    ...causeOf(cause, MAX_DEPTH),
  };
  traces.add(trace);
  return trace;
}

function isTrace(cause: unknown): cause is FailureTrace {
  return typeof cause === 'object' && cause !== null && traces.has(cause);
}

export interface TraceOptions {
  message?: string;
  upstreamStatus?: number;
  original?: GatewayError['original'];
  retryable?: boolean;
}

/** Copies an error and sets its trace as the cause. The vendor's body is removed, so that the cause can be logged. */
export function traced(error: GatewayError, options: TraceOptions = {}): GatewayError {
  const { message = error.message, upstreamStatus, original } = options;
  const { code, param, retryAfterMs, cause } = error;
  return new GatewayError(code, message, {
    retryable: options.retryable ?? error.retryable,
    cause: failureTrace(new GatewayError(code, message, { cause }), upstreamStatus),
    ...(param !== undefined && { param }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(original && { original }),
  });
}

function causeOf(error: unknown, depth: number): { cause?: FailureTrace } {
  if (!(error instanceof Error) || depth === 0) return {};
  const stack = /\n\s+at .*/s.exec(error.stack ?? '')?.[0].trim();
  const cause: FailureTrace = {
    type: error.name,
    ...textField(error, 'code'),
    ...textField(error, 'failure'),
    ...(stack !== undefined && { stack }),
    ...causeOf(error.cause, depth - 1),
  };
  return { cause };
}

function textField(error: Error, name: 'code' | 'failure'): Partial<Record<'code' | 'failure', string>> {
  const value: unknown = Reflect.get(error, name);
  return typeof value === 'string' ? { [name]: value } : {};
}
