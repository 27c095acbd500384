import {
  GatewayError,
  type ResponseBody,
  type UpstreamRefusalError,
  type Usage,
  UPSTREAM_MESSAGES,
} from '@sluice/canonical';
import type { AttemptFailureFacts } from '@sluice/telemetry';
import { meterUsage } from '../metering/meter-usage.ts';
import { type AttemptFailure, classifyRefusal, classifyReported } from '../routing/attempt-error.ts';
import { recordServed } from '../routing/record-served.ts';
import { recordStreamEnd, type StreamEnd } from '../routing/record-stream-end.ts';
import type { Served } from '../routing/served-headers.ts';
import type { DirectResponse } from './call-direct.ts';
import type { DirectCall, DirectDeps } from './direct-deps.ts';
import { EventResponse, type EventCodec } from './event-response.ts';
import { sendBody, type SentBody } from './send-body.ts';

interface Relay extends Pick<SentBody, 'contentType' | 'format' | 'finalText' | 'abortText'> {
  body: ResponseBody;
  usage?: () => Usage | undefined;
  failure?: () => UpstreamRefusalError | undefined;
}

/** Sends the body of an upstream to the client. When it ends, records the usage, the span, and the outcome. */
export async function relayResponse(
  { metrics, logger }: Pick<DirectDeps, 'metrics' | 'logger'>,
  call: DirectCall,
  {
    target,
    losses,
    startedAt,
    trace,
  }: Pick<Served, 'target' | 'losses'> & Pick<DirectResponse<'speech'>, 'startedAt' | 'trace'>,
  { usage, failure, ...relay }: Relay,
): Promise<void> {
  const { request } = call;
  const { upstream } = target;
  const headers = recordServed(request, { target, losses, relayed: false });
  const end = await sendBody(call, { ...relay, headers });
  const reported = usage?.();
  meterUsage(metrics, request, upstream, reported);
  if (reported && request.served) {
    const usageOf = (): typeof reported => reported;
    request.served.usage = usageOf;
  }
  trace?.set({ usage: reported });
  const outcome = end === 'disconnected' ? end : (interruptionOf(end, failure?.()) ?? 'served');
  trace?.end(failureOf(outcome));
  if (outcome !== 'served' && outcome !== 'disconnected') request.errorCode = outcome.error.code;
  recordStreamEnd({ ...call.fallback, logger }, { upstream, requestId: request.id, startedAt }, outcome);
}

function failureOf(outcome: StreamEnd): AttemptFailureFacts | undefined {
  if (outcome === 'served') return undefined;
  return { type: outcome === 'disconnected' ? 'aborted' : outcome.error.code };
}

function interruptionOf(
  end: GatewayError | 'unfinished' | undefined,
  failure: UpstreamRefusalError | undefined,
): AttemptFailure | undefined {
  if (failure) return classifyRefusal(failure.status, failure.error);
  if (end !== 'unfinished') return end && classifyReported(end);
  // The body may be complete even if the final event is missing, so this does not count as a failure.
  const error = new GatewayError('provider_error', UPSTREAM_MESSAGES.incomplete);
  return { error, mayRetry: false, countsAsFailure: false, isAlive: true };
}

/** @param events opened with `EventResponse.open` */
export function relayedEvents(events: ResponseBody, { encodeErrorEvent }: EventCodec): Relay {
  if (!(events instanceof EventResponse)) throw new Error('these events were not opened');
  return {
    body: events,
    contentType: 'text/event-stream; charset=utf-8',
    finalText: () => (events.isFinished ? '' : undefined),
    abortText: encodeErrorEvent,
    usage: () => events.usage,
    failure: () => events.failure,
  };
}
