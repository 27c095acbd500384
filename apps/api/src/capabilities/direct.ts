import type { AnswerOf, DirectKind, WishOf } from '@sluice/canonical';
import type { DirectEndpoint, DirectProtocol } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import { serveSpeech } from '../audio/serve-speech.ts';
import { serveTranscription } from '../audio/serve-transcription.ts';
import { askDirect, noteDirect } from '../direct/ask-direct.ts';
import { countedEmbeddings, countedRanking, embeddingTokens, rankingTokens } from '../direct/counted-answer.ts';
import type { DirectClientCall, DirectRoom } from '../direct/direct-room.ts';
import { enterDirect } from '../direct/enter-direct.ts';
import { planDirect } from '../direct/direct-targets.ts';
import { directInput } from '../direct/direct-input.ts';
import { clientGone } from '../http/client-gone.ts';
import { cutOffBy } from '../http/cut-off.ts';
import { nestedTooDeeply } from '../http/nested-too-deeply.ts';

/** A call whose endpoint is known. */
export type DirectRouteCall = Omit<DirectClientCall, 'signal'> & { endpoint: DirectEndpoint };

/** Carries out a direct call; whatever it throws is answered in the protocol's shape. */
export async function serveDirectCall(room: DirectRoom, received: DirectRouteCall): Promise<unknown> {
  const { endpoint, ...rest } = received;
  // Before anything is waited for: that a client leaves is told once.
  const call: DirectClientCall = { ...rest, signal: clientGone(received.reply) };
  try {
    const fallback = (signal: AbortSignal) => room.fallback(signal, endpoint.kind);
    return await carryOut({ ...room, fallback }, call, endpoint);
  } catch (error) {
    const cut = cutOffBy(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestedTooDeeply(error, call.request.body) ?? error;
  }
}

function carryOut(room: DirectRoom, call: DirectClientCall, endpoint: DirectEndpoint): Promise<unknown> {
  switch (endpoint.kind) {
    case 'speech':
      return serveSpeech(room, call, endpoint.protocol);
    case 'transcription':
      return serveTranscription(room, call, endpoint.protocol);
    case 'moderation':
      return answerInJson(room, call, endpoint.kind, endpoint);
    case 'embedding':
      return answerInJson(room, call, endpoint.kind, endpoint, { complete: countedEmbeddings, ask: embeddingTokens });
    case 'rerank':
      return answerInJson(room, call, endpoint.kind, endpoint, { complete: countedRanking, ask: rankingTokens });
  }
}

/** How the tokens of a kind are counted. */
interface Counting<K extends DirectKind> {
  /** About how many a wish has. */
  ask: (wish: WishOf<K>) => number;
  /** Completes an answer whose upstream has told none. */
  complete: (answer: AnswerOf<K>, wish: WishOf<K>) => AnswerOf<K> & { inputTokens: number };
}

/** Reads a wish, has it granted, and answers in JSON. @param counting absent: the kind has no cost in tokens */
async function answerInJson<K extends DirectKind>(
  room: DirectRoom,
  call: DirectClientCall,
  kind: K,
  endpoint: { protocol: DirectProtocol<K>; verb?: string },
  counting?: Counting<K>,
): Promise<FastifyReply> {
  const { protocol } = endpoint;
  const input = directInput(call.request, endpoint);
  const { model: asked, wish } = protocol.decode(input);
  const plan = planDirect(room, call, kind, asked);
  await enterDirect(room, call, plan, counting && { input: () => counting.ask(wish) });
  const given = await askDirect(room, call, plan, wish);
  const cost = counting?.complete(given.answer, wish);
  const { newId } = room;
  const usage = cost && { inputTokens: cost.inputTokens, outputTokens: 0 };
  // Before it is written: it was served and has a cost, whatever comes of that.
  void call.reply.headers(noteDirect(room, call, given, usage));
  return call.reply.send(protocol.encode(cost ?? given.answer, { model: plan.model, wish, input, newId }));
}
