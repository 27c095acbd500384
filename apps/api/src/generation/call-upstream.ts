import type {
  ClientHeaders,
  GatewayError,
  Loss,
  TextCall as UpstreamCall,
  TextOperation,
  TextTarget,
  UpstreamTextResponse,
} from '@sluice/canonical';
import type { Rest } from '@sluice/limits';
import type { TextRequest, UpstreamProtocol } from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { classifyRefusal } from '../routing/attempt-error.ts';
import { traced } from '../routing/failure-trace.ts';
import { exhaustedMs, googleQuotaRest } from '../routing/pools/vendor-rest.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import type { BodyMemory } from './body-memory.ts';
import type { TextContext } from './text-context.ts';

const REFUSAL_BYTES = 1024 * 1024;

/** @throws AttemptError if the upstream returns no response */
export async function callUpstream(
  { target, capability }: RoutedTarget,
  body: UpstreamCall['body'],
  context: Pick<TextContext, 'request' | 'headers' | 'charge' | 'signal' | 'bodyMemory' | 'copyIds'>,
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
      ...(context.copyIds && { refersToFiles: true }),
      headers: relayedHeaders(request, headers, target).headers,
      traceHeaders: trace?.headers,
      signal,
    });
  } catch (error) {
    throw failedAttempt(error);
  }
}

/**
 * Returns the client's headers for an upstream, and what this upstream does not accept in them. Only an upstream of the
 * client's protocol receives them.
 */
export function relayedHeaders(
  { protocol }: Pick<TextRequest, 'protocol'>,
  headers: ClientHeaders,
  target: TextTarget,
): { headers?: ClientHeaders; losses: readonly Loss[] } {
  if (protocol.name !== target.protocol) return { losses: [] };
  if (!protocol.filterHeaders) return { headers, losses: [] };
  const losses: Loss[] = [];
  return { headers: protocol.filterHeaders(headers, target, (loss) => losses.push(loss)), losses };
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
 * @param copyIds the vendor's ids of files that the request refers to
 */
export async function expectSuccess(
  { capability }: Pick<RoutedTarget, 'capability'>,
  response: UpstreamTextResponse,
  upstream: UpstreamProtocol,
  isRelayed: boolean,
  copyIds: readonly string[] = [],
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
  throw classifyRefusal(status, failure, isFinal, {
    rest: restOf(error, response.headers, value),
    missingFile: missingFile(status, text, copyIds),
  });
}

const MISSING_FILE = new Set([400, 403, 404]);

/** Vendors have no common code for a missing file, but their messages name it. Google names the end of the URI. */
function missingFile(status: number, text: string, copyIds: readonly string[]): string | undefined {
  return MISSING_FILE.has(status) ? copyIds.find((id) => text.includes(id.slice(id.lastIndexOf('/') + 1))) : undefined;
}

/** Reads how long the credential rests from what `retry-after` does not contain. */
function restOf(error: GatewayError, headers: UpstreamTextResponse['headers'], body: unknown): Rest | undefined {
  if (error.code !== 'rate_limited') return undefined;
  const now = Date.now();
  const quota = googleQuotaRest(body, now);
  if (quota || error.retryAfterMs !== undefined) return quota;
  const ms = exhaustedMs(headers, now);
  return ms === undefined ? undefined : { reason: 'rate_limited', ms };
}

export function parseOrText(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return text;
  }
}
