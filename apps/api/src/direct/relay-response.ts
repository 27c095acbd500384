import { type ResponseBody, GatewayError, type Loss, type UpstreamRefusalError, type Usage } from '@sluice/canonical';
import { recordDirect } from './call-direct.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import { classifyRefusal, classifyReported } from '../routing/attempt-error.ts';
import { failureTrace } from '../routing/failure-trace.ts';
import { meterUsage } from '../generation/meter-text.ts';
import { EventResponse, type EventText } from './event-response.ts';
import { sendBody, type SentBody } from './send-body.ts';

/** Who answers. */
interface Given {
  target: { upstream: string; model: string };
  losses: readonly Loss[];
}

/** How an answer is written. */
interface Relay extends Pick<SentBody, 'contentType' | 'format' | 'last' | 'cut'> {
  body: ResponseBody;
  /** What it cost, once it is through. */
  usage?: () => Usage | undefined;
  /** An error that the client was told in the answer itself. */
  failure?: () => UpstreamRefusalError | undefined;
}

/** Sends an answer as it comes; when it is over, counts it and tells the upstream's breaker how it ended. */
export async function relayResponse(
  deps: DirectDeps,
  call: DirectClientCall,
  given: Given,
  { usage, failure, ...relay }: Relay,
): Promise<void> {
  const { upstream } = given.target;
  const end = await sendBody(call, { ...relay, headers: recordDirect(deps, call, given) });
  const cost = usage?.();
  if (cost) {
    meterUsage(deps, upstream, cost);
    if (call.request.served) call.request.served.usage = () => cost;
  }
  // A client that left has ended the answer itself.
  if (end === 'left') return;
  const { breakers } = deps.fallback(call.signal);
  const told = failure?.();
  const broken = told?.error ?? (end === 'unfinished' ? unfinished() : end);
  if (broken === undefined) return breakers.succeeded(upstream);
  // A stream that ends in a way that is not known here was served all the same.
  const { countsAsFailure, isAlive } = told
    ? classifyRefusal(told.status, told.error)
    : end === 'unfinished'
      ? { countsAsFailure: false, isAlive: true }
      : classifyReported(broken);
  if (countsAsFailure) breakers.failed(upstream);
  else if (isAlive) breakers.succeeded(upstream);
  deps.logger.warn({ err: failureTrace(broken), upstream, request_id: call.request.id }, 'an answer broke off');
}

function unfinished(): GatewayError {
  return new GatewayError('provider_error', 'The upstream ended its stream without the event that ends it.');
}

/** How events go that the upstream has written: as they are, and whole only with the one that ends them. */
export function relayedEvents(events: ResponseBody, { encodeErrorEvent }: EventText): Relay {
  if (!(events instanceof EventResponse)) throw new Error('these events were not looked at');
  return {
    body: events,
    contentType: 'text/event-stream; charset=utf-8',
    last: () => (events.isFinished ? '' : undefined),
    cut: encodeErrorEvent,
    usage: () => events.usage,
    failure: () => events.failure,
  };
}
