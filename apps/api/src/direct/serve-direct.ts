import type { ResponseOf, DirectKind, ParamsOf } from '@sluice/canonical';
import type { DirectEndpoint, DirectProtocol } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import { serveSpeech } from './serve-speech.ts';
import { serveTranscription } from './serve-transcription.ts';
import { callDirect, noteDirect } from './call-direct.ts';
import { countedEmbeddings, countedRanking, embeddingTokens, rankingTokens } from './counted-response.ts';
import type { DirectClientCall, DirectServices } from './direct-services.ts';
import { enterDirect } from './reserve-direct.ts';
import { planDirect } from './plan-direct.ts';
import { directInput } from './direct-input.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { cutOffBy } from '../http/abort-requests.ts';
import { nestedTooDeeply } from '../http/nesting-error.ts';

/** A call whose endpoint is known. */
export type DirectRouteCall = Omit<DirectClientCall, 'signal'> & { endpoint: DirectEndpoint };

/** Carries out a direct call; whatever it throws is answered in the protocol's shape. */
export async function serveDirectCall(services: DirectServices, received: DirectRouteCall): Promise<unknown> {
  const { endpoint, ...rest } = received;
  // Before anything is waited for: that a client leaves is told once.
  const call: DirectClientCall = { ...rest, signal: clientDisconnected(received.reply) };
  try {
    const fallback = (signal: AbortSignal) => services.fallback(signal, endpoint.kind);
    return await carryOut({ ...services, fallback }, call, endpoint);
  } catch (error) {
    const cut = cutOffBy(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestedTooDeeply(error, call.request.body) ?? error;
  }
}

function carryOut(services: DirectServices, call: DirectClientCall, endpoint: DirectEndpoint): Promise<unknown> {
  switch (endpoint.kind) {
    case 'speech':
      return serveSpeech(services, call, endpoint.protocol);
    case 'transcription':
      return serveTranscription(services, call, endpoint.protocol);
    case 'moderation':
      return responseInJson(services, call, endpoint.kind, endpoint);
    case 'embedding':
      return responseInJson(services, call, endpoint.kind, endpoint, {
        complete: countedEmbeddings,
        ask: embeddingTokens,
      });
    case 'rerank':
      return responseInJson(services, call, endpoint.kind, endpoint, { complete: countedRanking, ask: rankingTokens });
  }
}

/** How the tokens of a kind are counted. */
interface Counting<K extends DirectKind> {
  /** About how many a wish has. */
  ask: (params: ParamsOf<K>) => number;
  /** Completes an answer whose upstream has told none. */
  complete: (response: ResponseOf<K>, params: ParamsOf<K>) => ResponseOf<K> & { inputTokens: number };
}

/** Reads a wish, has it granted, and answers in JSON. @param counting absent: the kind has no cost in tokens */
async function responseInJson<K extends DirectKind>(
  services: DirectServices,
  call: DirectClientCall,
  kind: K,
  endpoint: { protocol: DirectProtocol<K>; verb?: string },
  counting?: Counting<K>,
): Promise<FastifyReply> {
  const { protocol } = endpoint;
  const input = directInput(call.request, endpoint);
  const { model: asked, params } = protocol.decode(input);
  const plan = planDirect(services, call, kind, asked);
  await enterDirect(services, call, plan, counting && { input: () => counting.ask(params) });
  const given = await callDirect(services, call, plan, params);
  const cost = counting?.complete(given.response, params);
  const { newId } = services;
  const usage = cost && { inputTokens: cost.inputTokens, outputTokens: 0 };
  // Before it is written: it was served and has a cost, whatever comes of that.
  void call.reply.headers(noteDirect(services, call, given, usage));
  return call.reply.send(protocol.encode(cost ?? given.response, { model: plan.model, params, input, newId }));
}
