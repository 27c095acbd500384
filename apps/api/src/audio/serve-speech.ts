import type { Speech } from '@sluice/canonical';
import type { SpeechProtocol } from '@sluice/protocols';
import { askDirect } from '../direct/ask-direct.ts';
import { directInput } from '../direct/direct-input.ts';
import type { DirectClientCall, DirectRoom } from '../direct/direct-room.ts';
import { enterDirect } from '../direct/enter-direct.ts';
import { planDirect } from '../direct/direct-targets.ts';
import { textTokens } from '../text/estimate-tokens.ts';
import { EventAnswer } from './event-answer.ts';
import { relayAnswer, relayedEvents } from './relay-answer.ts';

/** Speaks a text: in bytes as they come, or in events, which are made here where the upstream gives bytes alone. */
export async function serveSpeech(room: DirectRoom, call: DirectClientCall, protocol: SpeechProtocol): Promise<void> {
  const { model, wish } = protocol.decode(directInput(call.request, {}).body);
  const plan = planDirect(room, call, 'speech', model);
  const { input } = wish;
  await enterDirect(room, call, plan, { input: () => textTokens(input), characters: input.length });
  const begin = async (answer: Speech): Promise<Speech> =>
    answer.kind === 'events' ? { ...answer, body: await EventAnswer.open(answer, protocol) } : answer;
  const given = await askDirect(room, call, plan, wish, { isUnderWay: () => true, begin });
  const { answer } = given;
  if (answer.kind === 'events') return relayAnswer(room, call, given, relayedEvents(answer.body, protocol));
  const { body, mediaType, usage } = answer;
  const cost = () => usage;
  if (!wish.asEvents) return relayAnswer(room, call, given, { body, contentType: mediaType, usage: cost });
  const writer = protocol.openWriter();
  await relayAnswer(room, call, given, {
    body,
    contentType: 'text/event-stream; charset=utf-8',
    spell: (piece) => writer.push(piece),
    last: () => writer.end(usage),
    cut: protocol.encodeErrorEvent,
    usage: cost,
  });
}
