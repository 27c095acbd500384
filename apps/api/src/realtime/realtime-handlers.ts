import { GatewayError } from '@sluice/canonical';
import { readOfferedProtocols } from '@sluice/protocols';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { ClientCall, EndpointHandlers } from '../auth/client-call.ts';
import { clientDisconnected } from '../http/client-disconnected.ts';
import { requestIdHeaders } from '../http/request-id.ts';
import type { Charges } from '../metering/charges.ts';
import { attemptsHeader } from '../routing/record-attempt.ts';
import { asHeader } from '../routing/served-headers.ts';
import { checkHandshake } from './accept-socket.ts';
import { countSession } from './count-session.ts';
import { createSession } from './create-session.ts';
import { type OpenedRealtime, openRealtime } from './open-realtime.ts';
import { EARLY_BYTES, pendingUpgrade, type PendingUpgrade } from './pending-upgrade.ts';
import { planRealtime, type RealtimePlan } from './plan-realtime.ts';
import type { RealtimeDeps } from './realtime-deps.ts';

type RealtimeCall = Omit<ClientCall, 'endpoint'>;

/** Handles sessions. Browsers send the API key as a WebSocket sub-protocol. */
export function realtimeHandlers(deps: RealtimeDeps): EndpointHandlers<'realtime.connect'> {
  return {
    'realtime.connect': {
      authenticate: (request) =>
        deps.callerOf(request, readOfferedProtocols(request.headers['sec-websocket-protocol']).key),
      serve: (call) => connect(deps, call),
    },
  };
}

async function connect(deps: RealtimeDeps, call: RealtimeCall): Promise<unknown> {
  const { apiKey, request, reply } = call;
  void reply.header('sec-websocket-version', '13');
  const upgrade = pendingUpgrade(request.raw);
  if (!upgrade) {
    void reply.headers({ upgrade: 'websocket', connection: 'upgrade, close' });
    throw new GatewayError(
      'upgrade_required',
      'Realtime sessions require a WebSocket. Connect with `wss://` or `ws://`.',
    );
  }
  // Created before the first await, because `close` is emitted only once.
  const disconnected = clientDisconnected(reply);
  checkHandshake(request.headers);
  deps.checkOrigin(request.headers, apiKey);
  // The cast is safe because the router parses the query into an object.
  const plan = planRealtime(deps, call, request.query as Record<string, unknown>);
  deps.sessions.expectOpen();
  await reserveSession(deps.charges, call, plan);
  const signal = AbortSignal.any([disconnected, upgrade.flooded, deps.sessions.stopping]);
  try {
    const opened = await openRealtime(deps.fallback({ reply, signal }), plan, { beta: betaOf(request), signal });
    if (!signal.aborted) return startSession(deps, call, { upgrade, plan, opened });
    opened.socket.terminate();
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  if (disconnected.aborted) return reply.hijack();
  if (upgrade.flooded.aborted) {
    const what = `More than ${EARLY_BYTES / 1024} KiB were sent before the session was open. Wait for the handshake response first.`;
    throw new GatewayError('invalid_request', what);
  }
  return deps.sessions.expectOpen();
}

/** A session counts as one request. Its usage is charged whenever the upstream reports it. */
async function reserveSession(charges: Charges, call: RealtimeCall, plan: RealtimePlan): Promise<void> {
  const min = { usage: { inputTokens: 1, outputTokens: 0 }, isBounded: true };
  const { configuredModel: model, targets } = plan;
  await charges.reserve(call, { model, targets, tokens: () => min, isSession: true });
  call.request.charge?.release();
  call.request.charge = undefined;
}

/** Reads the header, or the sub-protocol that browsers send instead. */
function betaOf({ headers }: FastifyRequest): string | undefined {
  const header = headers['openai-beta'];
  return [header].flat()[0] ?? readOfferedProtocols(headers['sec-websocket-protocol']).beta;
}

function rateHeaders(reply: FastifyReply): Record<string, string> {
  const rates = Object.entries(reply.getHeaders()).filter(([name]) => name.startsWith('x-ratelimit-'));
  return Object.fromEntries(rates.map(([name, value]) => [name, String(value)]));
}

function startSession(
  deps: RealtimeDeps,
  { apiKey, request, reply }: RealtimeCall,
  { upgrade, plan, opened }: { upgrade: PendingUpgrade; plan: RealtimePlan; opened: OpenedRealtime },
): FastifyReply {
  const { target } = opened.target;
  void reply.code(101).hijack();
  const client = deps.accept(request.raw, upgrade, {
    ...requestIdHeaders(request.id),
    ...rateHeaders(reply),
    ...attemptsHeader(reply),
    'x-sluice-upstream': target.upstream,
    'x-sluice-model': asHeader(target.model),
  });
  if (!client) {
    opened.socket.terminate();
    return reply;
  }
  const { session, usage } = createSession(deps, { apiKey, request }, { client, plan, opened });
  request.served = { upstream: target.upstream, upstream_model: target.model, relayed: true, usage };
  countSession(deps.metrics, request, reply, session.ended);
  deps.sessions.add(session);
  return reply;
}
