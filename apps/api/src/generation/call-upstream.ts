import type { TextCall as UpstreamCall, TextOperation, UpstreamTextResponse } from '@sluice/canonical';
import type { TextProtocol } from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { classifyRefusal } from '../routing/attempt-error.ts';
import { traced } from '../routing/failure-trace.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import type { BodyMemory } from './body-memory.ts';
import type { TextContext } from './text-context.ts';

const REFUSAL_BYTES = 1024 * 1024;

/** @throws AttemptError if the upstream returns no response */
export async function callUpstream(
  { target, capability }: RoutedTarget,
  body: UpstreamCall['body'],
  context: Pick<TextContext, 'request' | 'headers' | 'charge' | 'signal' | 'bodyMemory'>,
  operation: TextOperation,
  trace?: AttemptTrace,
): Promise<UpstreamTextResponse> {
  const { request, headers, charge, signal } = context;
  charge?.upstreamCalled(target);
  try {
    return await capability.open({
      operation,
      model: target.model,
      stream: (operation === 'generate' || operation === 'complete') && request.stream,
      ...sentBody(body, context.bodyMemory),
      // The client's headers are only valid for upstreams of the same protocol.
      headers: request.protocol.name === target.protocol ? headers : undefined,
      traceHeaders: trace?.headers,
      signal,
    });
  } catch (error) {
    throw failedAttempt(error);
  }
}

/** A large body is sent as chunks, because only the end of these is reported. */
function sentBody(body: UpstreamCall['body'], memory: BodyMemory): Pick<UpstreamCall, 'body' | 'onBodySent'> {
  if (typeof body === 'string' || !memory.isLarge) return { body };
  return { body: body instanceof Uint8Array ? [body] : body, onBodySent: memory.send() };
}

/** Other statuses are caused by the operator's account or the upstream itself. */
const ABOUT_THE_REQUEST = new Set([400, 409, 413, 422, 429]);

/**
 * Rejects an error status. If the error is about the request and the client uses the vendor's protocol, the client
 * receives the vendor's own error. @throws AttemptError
 */
export async function expectSuccess(
  { capability }: Pick<RoutedTarget, 'capability'>,
  response: UpstreamTextResponse,
  upstream: TextProtocol,
  isRelayed: boolean,
): Promise<void> {
  if (response.status >= 200 && response.status < 300) return;
  let text = '';
  try {
    text = Buffer.from(await response.body.collect(REFUSAL_BYTES)).toString('utf8');
  } catch {
    // If the body cannot be decoded, the status is enough.
  }
  const body = capability.scrub(text);
  const value = parseOrText(body);
  const { status } = response;
  // If `retry-after` is an HTTP date, decoders compare it with `date`, so `date` must be set.
  const headers = { date: new Date().toUTCString(), ...response.headers };
  const error = upstream.decodeError({ status, headers, body: value });
  const isAboutRequest = ABOUT_THE_REQUEST.has(status) || error.code === 'not_found';
  // A conflict is decoded as an upstream error because it may be temporary.
  const isClientError = error.status < 500 || (status === 409 && error.code === 'provider_error');
  const keepsText = isRelayed && isAboutRequest && typeof value === 'object' && isClientError;
  const original = keepsText ? { status, body } : undefined;
  const isFinal = status >= 500 && response.headers['x-should-retry'] === 'false';
  const failure = traced(error, {
    upstreamStatus: status,
    ...(original && { original }),
    ...(isFinal && { retryable: false }),
  });
  throw classifyRefusal(status, failure, isFinal);
}

export function parseOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
