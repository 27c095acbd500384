import type { Transcript } from '@sluice/canonical';
import type { TranscriptionProtocol } from '@sluice/protocols';
import { callDirect, recordDirect } from './call-direct.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import { reserveDirect } from './reserve-direct.ts';
import { planDirect } from './plan-direct.ts';
import { openAudioForm } from './audio-form.ts';
import { EventResponse } from './event-response.ts';
import { relayResponse, relayedEvents } from './relay-response.ts';

/** Whether a transcript is still being written. */
function isStreaming({ kind }: Transcript): boolean {
  return kind === 'events';
}

/** Writes down what is said in a form's audio, in the format that was asked for. */
export async function serveTranscription(
  deps: DirectDeps,
  received: DirectClientCall,
  protocol: TranscriptionProtocol,
): Promise<unknown> {
  const form = await openAudioForm(received.request, protocol, deps.forms);
  try {
    // What was read may have taken minutes.
    const call = { ...received, apiKey: deps.callerOf(received.request) };
    const plan = planDirect(deps, call, 'transcription', form.model);
    await reserveDirect(deps, call, plan, { writes: true });
    const { audio, known, isComplete, all, isSpent } = form;
    const params = { task: protocol.task, audio, known, isComplete, all };
    const begin = async (response: Transcript): Promise<Transcript> =>
      response.kind === 'events' ? { ...response, body: await EventResponse.open(response, protocol) } : response;
    const given = await callDirect(deps, call, plan, params, { isSpent, isStreaming, begin });
    const { response } = given;
    if (response.kind === 'events')
      return await relayResponse(deps, call, given, relayedEvents(response.body, protocol));
    // Before it is written, which may fail: it was served and has a cost all the same.
    void call.reply.headers(recordDirect(deps, call, given, response.usage));
    const fields = await all();
    if (fields.stream && response.kind === 'spoken') {
      void call.reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-cache');
      return call.reply.send(protocol.encodeEvents(response));
    }
    const { mediaType, body } = protocol.encode(response, fields, plan.model);
    const written = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return call.reply.type(mediaType).send(written);
  } finally {
    await form.close();
  }
}
