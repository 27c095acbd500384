import type { ResponseOf, DirectKind, ParamsOf } from '@sluice/canonical';
import type { DirectEndpoint, DirectProtocol } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import { serveSpeech } from './serve-speech.ts';
import { serveTranscription } from './serve-transcription.ts';
import { callDirect, recordDirect } from './call-direct.ts';
import { countedEmbeddings, countedRanking, embeddingTokens, rankingTokens } from './counted-response.ts';
import type { DirectClientCall, DirectDeps } from './direct-services.ts';
import { reserveDirect } from './reserve-direct.ts';
import { planDirect } from './plan-direct.ts';
import { directInput } from './direct-input.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { abortReason } from '../http/abort-requests.ts';
import { nestingError } from '../http/nesting-error.ts';

/** A call whose endpoint is known. */
export type DirectRouteCall = Omit<DirectClientCall, 'signal'> & { endpoint: DirectEndpoint };

/** Carries out a direct call; whatever it throws is answered in the protocol's shape. */
export async function serveDirectCall(deps: DirectDeps, received: DirectRouteCall): Promise<unknown> {
  const { endpoint, ...rest } = received;
  // Before anything is waited for: that a client leaves is told once.
  const call: DirectClientCall = { ...rest, signal: clientDisconnected(received.reply) };
  try {
    const fallback = (signal: AbortSignal) => deps.fallback(signal, endpoint.kind);
    return await carryOut({ ...deps, fallback }, call, endpoint);
  } catch (error) {
    const cut = abortReason(call.signal);
    if (cut) throw cut;
    // Nobody is there to be told.
    if (call.signal.aborted) return call.reply.hijack();
    throw nestingError(error, call.request.body) ?? error;
  }
}

function carryOut(deps: DirectDeps, call: DirectClientCall, endpoint: DirectEndpoint): Promise<unknown> {
  switch (endpoint.kind) {
    case 'speech':
      return serveSpeech(deps, call, endpoint.protocol);
    case 'transcription':
      return serveTranscription(deps, call, endpoint.protocol);
    case 'moderation':
      return responseInJson(deps, call, endpoint.kind, endpoint);
    case 'embedding':
      return responseInJson(deps, call, endpoint.kind, endpoint, {
        complete: countedEmbeddings,
        ask: embeddingTokens,
      });
    case 'rerank':
      return responseInJson(deps, call, endpoint.kind, endpoint, { complete: countedRanking, ask: rankingTokens });
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
  deps: DirectDeps,
  call: DirectClientCall,
  kind: K,
  endpoint: { protocol: DirectProtocol<K>; verb?: string },
  counting?: Counting<K>,
): Promise<FastifyReply> {
  const { protocol } = endpoint;
  const input = directInput(call.request, endpoint);
  const { model: asked, params } = protocol.decode(input);
  const plan = planDirect(deps, call, kind, asked);
  await reserveDirect(deps, call, plan, counting && { input: () => counting.ask(params) });
  const given = await callDirect(deps, call, plan, params);
  const cost = counting?.complete(given.response, params);
  const { newId } = deps;
  const usage = cost && { inputTokens: cost.inputTokens, outputTokens: 0 };
  // Before it is written: it was served and has a cost, whatever comes of that.
  void call.reply.headers(recordDirect(deps, call, given, usage));
  return call.reply.send(protocol.encode(cost ?? given.response, { model: plan.model, params, input, newId }));
}
