import type { Transcript } from '@sluice/canonical';
import type { TranscriptionProtocol } from '@sluice/protocols';
import { askDirect, noteDirect } from '../direct/ask-direct.ts';
import type { DirectClientCall, DirectRoom } from '../direct/direct-room.ts';
import { enterDirect } from '../direct/enter-direct.ts';
import { planDirect } from '../direct/direct-targets.ts';
import { openAudioForm } from './audio-form.ts';
import { EventAnswer } from './event-answer.ts';
import { relayAnswer, relayedEvents } from './relay-answer.ts';

/** Whether a transcript is still being written. */
function isUnderWay({ kind }: Transcript): boolean {
  return kind === 'events';
}

/** Writes down what is said in a form's audio, in the format that was asked for. */
export async function serveTranscription(
  room: DirectRoom,
  received: DirectClientCall,
  protocol: TranscriptionProtocol,
): Promise<unknown> {
  const form = await openAudioForm(received.request, protocol, room.forms);
  try {
    // What was read may have taken minutes.
    const call = { ...received, apiKey: room.callerOf(received.request) };
    const plan = planDirect(room, call, 'transcription', form.model);
    await enterDirect(room, call, plan, { writes: true });
    const { audio, known, isWhole, all, isSpent } = form;
    const wish = { task: protocol.task, audio, known, isWhole, all };
    const begin = async (answer: Transcript): Promise<Transcript> =>
      answer.kind === 'events' ? { ...answer, body: await EventAnswer.open(answer, protocol) } : answer;
    const given = await askDirect(room, call, plan, wish, { isSpent, isUnderWay, begin });
    const { answer } = given;
    if (answer.kind === 'events') return await relayAnswer(room, call, given, relayedEvents(answer.body, protocol));
    // Before it is written, which may fail: it was served and has a cost all the same.
    void call.reply.headers(noteDirect(room, call, given, answer.usage));
    const fields = await all();
    if (fields.stream && answer.kind === 'spoken') {
      void call.reply.type('text/event-stream; charset=utf-8').header('cache-control', 'no-cache');
      return call.reply.send(protocol.encodeEvents(answer));
    }
    const { mediaType, body } = protocol.encode(answer, fields, plan.model);
    const written = typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    return call.reply.type(mediaType).send(written);
  } finally {
    await form.close();
  }
}
