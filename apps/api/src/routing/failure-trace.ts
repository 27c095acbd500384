import { GatewayError } from '@sluice/canonical';

/**
 * What the log is told of an upstream's failure: codes and our own words. A vendor's body is left out, since it names hosts
 * and accounts and may quote the prompt; so are the messages of causes, which quote what could not be read.
 */
export interface FailureTrace {
  type: string;
  /** Ours, such as `provider_error`; of a cause the network's, such as `ECONNRESET`. */
  code?: string;
  /** What the client is told. */
  status?: number;
  /** What the upstream said, when it refused. */
  upstream_status?: number;
  /** At most {@link MAX_LENGTH} characters; part of a vendor's own words when they are passed on. */
  message?: string;
  /** What kind of failure an `UpstreamError` is. */
  failure?: string;
  /** Where, without the words. */
  stack?: string;
  cause?: FailureTrace;
}

const MAX_LENGTH = 200;
const MAX_DEPTH = 3;

const traces = new WeakSet<object>();

/** Makes an error's trace, or finds the one that {@link traced} left in it. @param upstreamStatus of a refusal */
export function failureTrace(error: GatewayError, upstreamStatus?: number): FailureTrace {
  const { name, code, status, message, cause } = error;
  if (isTrace(cause)) return cause;
  const trace: FailureTrace = {
    type: name,
    code,
    status,
    ...(upstreamStatus !== undefined && { upstream_status: upstreamStatus }),
    message: message.length > MAX_LENGTH ? `${message.slice(0, MAX_LENGTH - 1)}…` : message,
    ...causeOf(cause, MAX_DEPTH),
  };
  traces.add(trace);
  return trace;
}

function isTrace(cause: unknown): cause is FailureTrace {
  return typeof cause === 'object' && cause !== null && traces.has(cause);
}

/** What {@link traced} is told besides. */
export interface TraceOptions {
  /** Default: the error's own. */
  message?: string;
  /** Of a refusal. */
  upstreamStatus?: number;
  original?: GatewayError['original'];
}

/** The same error with its trace as the cause, in place of the vendor's body: whoever logs the cause logs no more. */
export function traced(error: GatewayError, options: TraceOptions = {}): GatewayError {
  const { message = error.message, upstreamStatus, original } = options;
  const { code, param, retryAfterMs, retryable, cause } = error;
  return new GatewayError(code, message, {
    retryable,
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
