import type { Transcript } from '@sluice/canonical';
import type { EndpointOf } from '../auth/client-call.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { recordServed } from '../routing/record-served.ts';
import { openAudioForm } from './audio-form.ts';
import { callDirect } from './call-direct.ts';
import type { DirectCall, DirectDeps } from './direct-deps.ts';
import { EventResponse } from './event-response.ts';
import { planDirect } from './plan-direct.ts';
import { relayedEvents, relayResponse } from './relay-response.ts';
import { reserveDirect } from './reserve-direct.ts';

type TranscriptionEndpoint = EndpointOf<'transcription.create' | 'translation.create'>;

function isStreaming({ kind }: Transcript): boolean {
  return kind === 'events';
}

/** Transcribes or translates the audio of a form. @throws GatewayError if nothing has been sent yet */
export async function serveTranscription(
  deps: DirectDeps,
  received: DirectCall<TranscriptionEndpoint>,
): Promise<unknown> {
  const { protocol } = received.endpoint;
  const form = await openAudioForm(received.request, protocol, deps.forms);
  try {
    const call = { ...received, apiKey: deps.callerOf(received.request) };
    const { request, reply } = call;
    const plan = planDirect(deps, call, 'transcription', form.model);
    await reserveDirect(deps.charges, call, plan, { generatesText: true });
    const { audio, known, isComplete, all, isConsumed } = form;
    const params = { task: protocol.task, audio, known, isComplete, all };
    const begin = async (response: Transcript): Promise<Transcript> =>
      response.kind === 'events' ? { ...response, body: await EventResponse.open(response, protocol) } : response;
    const served = await callDirect(call, plan, params, { isConsumed, isStreaming, begin });
    const { response } = served;
    if (response.kind === 'events') {
      return await relayResponse(deps, call, served, relayedEvents(response.body, protocol));
    }
    // Recorded before encoding, because the call has a cost even if encoding fails.
    const { target, losses } = served;
    const { usage } = response;
    meterUsage(deps.metrics, request, target.upstream, usage);
    void reply.headers(recordServed(request, { target, losses, relayed: false, usage }));
    const fields = await all();
    if (fields.stream && response.kind === 'parsed') {
      void reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-cache');
      return reply.send(protocol.encodeEvents(response));
    }
    const { mediaType, body } = protocol.encode(response, fields, plan.model);
    const bytes = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return reply.type(mediaType).send(bytes);
  } finally {
    await form.close();
  }
}
