import { GatewayError, type Usage } from '@sluice/canonical';
import { addUsage, editClientEvent, readOfferedProtocols, readServerEvent, renameModel } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ApiKey } from '../auth/api-keys.ts';
import { isBound } from '../auth/is-bound.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { countSession } from '../server/observe-requests.ts';
import { requestIdHeaders } from '../http/request-id.ts';
import { checkHandshake } from './accept-socket.ts';
import { type OpenedRealtime, openRealtime } from './open-realtime.ts';
import { pendingUpgrade, type PendingUpgrade } from './pending-upgrade.ts';
import { planRealtime, type RealtimePlan } from './plan-realtime.ts';
import type { RealtimeDeps } from './realtime-services.ts';
import { relaySession } from './relay-session.ts';
import { asHeader } from '../generation/respond-to-client.ts';
import { meterUsage } from '../generation/meter-text.ts';

/** One request for a session. */
export interface RealtimeRequest {
  apiKey: ApiKey;
  request: FastifyRequest;
  reply: FastifyReply;
}

/** Opens a session; whatever it throws is answered as HTTP, in the protocol's shape. */
export async function serveRealtime(deps: RealtimeDeps, call: RealtimeRequest): Promise<unknown> {
  const { apiKey, request, reply } = call;
  void reply.header('sec-websocket-version', '13');
  const upgrade = pendingUpgrade(request.raw);
  if (!upgrade) {
    void reply.headers({ upgrade: 'websocket', connection: 'upgrade, close' });
    throw new GatewayError('upgrade_required', 'Realtime sessions are web sockets. Connect with wss:// or ws://.');
  }
  // Before anything is waited for: that a client leaves is told once.
  const gone = clientDisconnected(reply);
  checkHandshake(request.headers);
  deps.checkOrigin(request.headers, apiKey);
  const plan = planRealtime(deps, apiKey, request.query as Record<string, unknown>); // what the router makes of a query
  deps.sessions.expectOpen();
  await enter(deps, call, plan);
  const signal = AbortSignal.any([gone, upgrade.flooded, deps.sessions.stopping]);
  try {
    const opened = await openRealtime(deps, plan, { beta: betaOf(request), signal });
    if (!signal.aborted) return startSession(deps, call, { upgrade, plan, opened });
    opened.socket.terminate();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  // Nobody is there to be told, or it is told what it did, or that the process stops.
  if (gone.aborted) return reply.hijack();
  if (upgrade.flooded.aborted) {
    throw new GatewayError('invalid_request', 'Too much was sent before the session was open. Wait for the answer.');
  }
  return deps.sessions.expectOpen();
}

/** A session is counted as one request; what it uses is counted as its upstream tells it. */
async function enter(deps: RealtimeDeps, call: RealtimeRequest, { price }: RealtimePlan): Promise<void> {
  const min = { usage: { inputTokens: 1, outputTokens: 0 }, isBounded: true };
  await deps.charges.enter(call, { price, tokens: () => min });
  call.request.charge?.release();
}

/** The header, else what a browser says in its place. */
function betaOf({ headers }: FastifyRequest): string | undefined {
  const told = headers['openai-beta'];
  return [told].flat()[0] ?? readOfferedProtocols(headers['sec-websocket-protocol']).beta;
}

/** What the key has left of its rates, as other answers tell it. */
function rateHeaders(reply: FastifyReply): Record<string, string> {
  const rates = Object.entries(reply.getHeaders()).filter(([name]) => name.startsWith('x-ratelimit-'));
  return Object.fromEntries(rates.map(([name, value]) => [name, String(value)]));
}

/** Answers 101 and joins both ends. */
function startSession(
  deps: RealtimeDeps,
  { apiKey, request, reply }: RealtimeRequest,
  { upgrade, plan, opened }: { upgrade: PendingUpgrade; plan: RealtimePlan; opened: OpenedRealtime },
): FastifyReply {
  const { socket: upstream, named } = opened;
  const { target, capability } = opened.target;
  const scrub = (text: string): string => capability.scrub(text);
  const edits = {
    model: plan.model,
    upstreamModel: target.model,
    scrub,
    holdsCredential: (data: Uint8Array) => capability.holdsCredential(data),
  };
  const only = isBound(apiKey) ? { ours: plan.model, theirs: target.model } : undefined;
  let sum: Usage | undefined;
  void reply.code(101).hijack();
  const client = deps.accept(request.raw, upgrade, {
    ...requestIdHeaders(request.id),
    ...rateHeaders(reply),
    'x-sluice-upstream': target.upstream,
    'x-sluice-model': asHeader(target.model),
  });
  if (!client) {
    upstream.terminate();
    return reply;
  }
  const session = relaySession({
    client,
    upstream,
    limits: deps.limits,
    newEventId: () => deps.newId('event_'),
    scrub: (reason) => renameModel(scrub(reason), target.model, plan.model),
    editClient: ({ data, isText }) => editClientEvent(data, named, isText, only),
    editUpstream: (frame) => {
      const { data, usage } = readServerEvent(frame.data, edits, frame.isText);
      if (usage) {
        sum = addUsage(sum, usage);
        meterUsage(deps, target.upstream, usage);
        deps.charges.charge(apiKey, plan.price, usage);
      }
      return data;
    },
  });
  request.served = { upstream: target.upstream, upstream_model: target.model, relayed: true, usage: () => sum };
  countSession(deps.metrics, request, reply, session.over);
  deps.sessions.add(session);
  return reply;
}
