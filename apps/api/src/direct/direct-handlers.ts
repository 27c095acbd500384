import type { DirectKind, ForeignFields, ParamsOf, ResponseOf } from '@sluice/canonical';
import type { DirectAction, DirectEndpoint, DirectProtocol } from '@sluice/protocols';
import type { FastifyReply } from 'fastify';
import type { ClientCall, EndpointHandlers } from '../auth/client-call.ts';
import { untilDisconnected } from '../http/until-disconnected.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { recordServed } from '../routing/record-served.ts';
import { callDirect } from './call-direct.ts';
import { countedEmbeddings, countedRanking, embeddingTokens, rankingTokens } from './counted-response.ts';
import type { DirectCall, DirectDeps } from './direct-deps.ts';
import { directInput } from './direct-input.ts';
import { planDirect } from './plan-direct.ts';
import { reserveDirect } from './reserve-direct.ts';
import { serveSpeech } from './serve-speech.ts';
import { serveTranscription } from './serve-transcription.ts';

export function directHandlers(deps: DirectDeps): EndpointHandlers<DirectAction | 'translation.create'> {
  const serve =
    <E extends DirectEndpoint>(work: (call: DirectCall<E>) => Promise<unknown>) =>
    (call: ClientCall<E>): Promise<unknown> =>
      untilDisconnected(call.reply, (signal) =>
        work({ ...call, signal, fallback: deps.fallback({ reply: call.reply, signal }, call.endpoint.kind) }),
      );
  return {
    'speech.create': { readsBytes: true, serve: serve((call) => serveSpeech(deps, call)) },
    'transcription.create': { serve: serve((call) => serveTranscription(deps, call)) },
    'translation.create': { serve: serve((call) => serveTranscription(deps, call)) },
    'moderation.create': {
      readsBytes: true,
      serve: serve((call) => serveJson(deps, call, { kind: 'moderation', protocol: call.endpoint.protocol })),
    },
    'embedding.create': {
      readsBytes: true,
      serve: serve((call) => serveJson(deps, call, { ...EMBEDDING, protocol: call.endpoint.protocol })),
    },
    'rerank.create': {
      readsBytes: true,
      serve: serve((call) => serveJson(deps, call, { ...RERANK, protocol: call.endpoint.protocol })),
    },
  };
}

const EMBEDDING = {
  kind: 'embedding',
  counting: { countInput: embeddingTokens, complete: countedEmbeddings },
} as const;
const RERANK = { kind: 'rerank', counting: { countInput: rankingTokens, complete: countedRanking } } as const;

interface Counting<K extends DirectKind> {
  countInput: (params: ParamsOf<K>) => number;
  complete: (response: ResponseOf<K>, params: ParamsOf<K>) => ResponseOf<K> & { inputTokens: number };
}

interface JsonKind<K extends DirectKind> {
  kind: K;
  protocol: DirectProtocol<K>;
  counting?: Counting<K>;
}

async function serveJson<K extends DirectKind>(
  deps: DirectDeps,
  call: DirectCall,
  { kind, protocol, counting }: JsonKind<K>,
): Promise<FastifyReply> {
  const { endpoint, request, reply } = call;
  const input = directInput(request, endpoint);
  const { model, params } = protocol.decode(input);
  // The cast is safe because every kind with a JSON body has this field.
  const { foreign } = params as { foreign: ForeignFields };
  const plan = planDirect(deps, call, kind, model, foreign.fields);
  await reserveDirect(deps.charges, call, plan, counting && { input: () => counting.countInput(params) });
  const { response, ...served } = await callDirect(call, plan, params);
  const counted = counting?.complete(response, params);
  const usage = counted && { inputTokens: counted.inputTokens, outputTokens: 0 };
  // Recorded before encoding, because the call has a cost even if encoding fails.
  meterUsage(deps.metrics, request, served.target.upstream, usage);
  void reply.headers(recordServed(request, { ...served, relayed: false, usage }));
  return reply.send(protocol.encode(counted ?? response, { model: plan.model, params, input, newId: deps.newId }));
}
