import type { Speech } from '@sluice/canonical';
import type { SpeechProtocol } from '@sluice/protocols';
import { callDirect } from './call-direct.ts';
import { directInput } from './direct-input.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import { reserveDirect } from './reserve-direct.ts';
import { planDirect } from './plan-direct.ts';
import { textTokens } from '../metering/estimate-tokens.ts';
import { EventResponse } from './event-response.ts';
import { relayResponse, relayedEvents } from './relay-response.ts';

/** Speaks a text: in bytes as they come, or in events, which are made here where the upstream gives bytes alone. */
export async function serveSpeech(deps: DirectDeps, call: DirectClientCall, protocol: SpeechProtocol): Promise<void> {
  const { model, params } = protocol.decode(directInput(call.request, {}).body);
  const plan = planDirect(deps, call, 'speech', model);
  const { input } = params;
  await reserveDirect(deps, call, plan, { input: () => textTokens(input), characters: input.length });
  const begin = async (response: Speech): Promise<Speech> =>
    response.kind === 'events' ? { ...response, body: await EventResponse.open(response, protocol) } : response;
  const given = await callDirect(deps, call, plan, params, { isStreaming: () => true, begin });
  const { response } = given;
  if (response.kind === 'events') return relayResponse(deps, call, given, relayedEvents(response.body, protocol));
  const { body, mediaType, usage } = response;
  const cost = () => usage;
  if (!params.asEvents) return relayResponse(deps, call, given, { body, contentType: mediaType, usage: cost });
  const writer = protocol.openWriter();
  await relayResponse(deps, call, given, {
    body,
    contentType: 'text/event-stream; charset=utf-8',
    format: (chunk) => writer.push(chunk),
    last: () => writer.end(usage),
    cut: protocol.encodeErrorEvent,
    usage: cost,
  });
}
