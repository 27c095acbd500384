import { GatewayError, type ResponseBody, type UpstreamRefusalError, type Usage } from '@sluice/canonical';
import { meterUsage } from '../metering/meter-usage.ts';
import { type AttemptFailure, classifyRefusal, classifyReported } from '../routing/attempt-error.ts';
import { recordInterruption } from '../routing/record-interruption.ts';
import { recordServed } from '../routing/record-served.ts';
import type { Served } from '../routing/served-headers.ts';
import type { DirectCall, DirectDeps } from './direct-deps.ts';
import { EventResponse, type EventCodec } from './event-response.ts';
import { sendBody, type SentBody } from './send-body.ts';

interface Relay extends Pick<SentBody, 'contentType' | 'format' | 'finalText' | 'abortText'> {
  body: ResponseBody;
  usage?: () => Usage | undefined;
  failure?: () => UpstreamRefusalError | undefined;
}

export async function relayResponse(
  { metrics, logger }: Pick<DirectDeps, 'metrics' | 'logger'>,
  call: DirectCall,
  { target, losses }: Pick<Served, 'target' | 'losses'>,
  { usage, failure, ...relay }: Relay,
): Promise<void> {
  const { upstream } = target;
  const { breakers } = call.fallback;
  const headers = recordServed(metrics, call.request, { target, losses, relayed: false });
  const end = await sendBody(call, { ...relay, headers });
  const cost = usage?.();
  if (cost) {
    meterUsage(metrics, upstream, cost);
    if (call.request.served) call.request.served.usage = () => cost;
  }
  if (end === 'disconnected') return;
  const interruption = interruptionOf(end, failure?.());
  if (!interruption) return breakers.succeeded(upstream);
  const fields = { upstream, request_id: call.request.id };
  recordInterruption({ breakers, logger }, fields, interruption.error, interruption);
}

function interruptionOf(
  end: GatewayError | 'unfinished' | undefined,
  failure: UpstreamRefusalError | undefined,
): AttemptFailure | undefined {
  if (failure) return classifyRefusal(failure.status, failure.error);
  if (end !== 'unfinished') return end && classifyReported(end);
  // A stream may lack its final event although it was served.
  const error = new GatewayError('provider_error', 'The upstream ended its stream without the final event.');
  return { error, mayRetry: false, countsAsFailure: false, isAlive: true };
}

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
