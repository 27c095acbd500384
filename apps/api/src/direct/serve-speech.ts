import type { Speech } from '@sluice/canonical';
import { estimateTextTokens } from '../metering/estimate-tokens.ts';
import { callDirect } from './call-direct.ts';
import type { DirectCall, DirectDeps } from './direct-deps.ts';
import { directInput } from './direct-input.ts';
import { EventResponse } from './event-response.ts';
import { planDirect } from './plan-direct.ts';
import { relayedEvents, relayResponse } from './relay-response.ts';
import { reserveDirect } from './reserve-direct.ts';
import type { EndpointOf } from '../auth/client-call.ts';

/** Generates speech, and sends it as audio or as events. @throws GatewayError if nothing has been sent yet */
export async function serveSpeech(deps: DirectDeps, call: DirectCall<EndpointOf<'speech.create'>>): Promise<void> {
  const { protocol } = call.endpoint;
  const { model, params } = protocol.decode(directInput(call.request, {}).body);
  const plan = planDirect(deps, call, 'speech', model, params.foreign.fields);
  const { input } = params;
  // Vendors count Unicode characters, not UTF-16 code units.
  const { length: characters } = Array.from(input);
  await reserveDirect(deps.charges, call, plan, { input: () => estimateTextTokens(input), characters });
  const begin = async (response: Speech): Promise<Speech> =>
    response.kind === 'events' ? { ...response, body: await EventResponse.open(response, protocol) } : response;
  const served = await callDirect(call, plan, params, { isStreaming: () => true, begin });
  const { response } = served;
  if (response.kind === 'events') {
    return relayResponse(deps, call, served, relayedEvents(response.body, protocol));
  }
  const { body, mediaType } = response;
  const usage = () => response.usage;
  if (!params.asEvents) return relayResponse(deps, call, served, { body, contentType: mediaType, usage });
  const writer = protocol.openWriter();
  await relayResponse(deps, call, served, {
    body,
    contentType: 'text/event-stream; charset=utf-8',
    format: (chunk) => writer.push(chunk),
    finalText: () => writer.end(response.usage),
    abortText: protocol.encodeErrorEvent,
    usage,
  });
}
