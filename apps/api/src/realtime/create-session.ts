import type { RealtimeSocket, Usage } from '@sluice/canonical';
import { addUsage, editClientEvent, readServerEvent, renameModel } from '@sluice/protocols';
import type { ClientCall } from '../auth/client-call.ts';
import { isBound } from '../auth/is-bound.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import type { OpenedRealtime } from './open-realtime.ts';
import type { RealtimePlan } from './plan-realtime.ts';
import type { RealtimeDeps } from './realtime-deps.ts';
import { type RelayedSession, relaySession } from './relay-session.ts';

export function createSession(
  { limits, newId, metrics, charges }: Pick<RealtimeDeps, 'limits' | 'newId' | 'metrics' | 'charges'>,
  { apiKey, request }: Pick<ClientCall, 'apiKey' | 'request'>,
  { client, plan, opened }: { client: RealtimeSocket; plan: RealtimePlan; opened: OpenedRealtime },
): { session: RelayedSession; usage: () => Usage | undefined } {
  const { target, capability } = opened.target;
  const scrub = (text: string): string => capability.scrub(text);
  const edits = {
    model: plan.model,
    upstreamModel: target.model,
    scrub,
    holdsCredential: (data: Uint8Array) => capability.holdsCredential(data),
  };
  const allowed = isBound(apiKey) ? { requestedName: plan.model, upstreamName: target.model } : undefined;
  let sum: Usage | undefined;
  const session = relaySession({
    client,
    upstream: opened.socket,
    limits,
    newEventId: () => newId('event_'),
    scrub: (reason) => renameModel(scrub(reason), target.model, plan.model),
    editClient: ({ data, isText }) => editClientEvent(data, opened.model, isText, allowed),
    editUpstream: (frame) => {
      const { data, usage } = readServerEvent(frame.data, edits, frame.isText);
      if (usage) {
        sum = addUsage(sum, usage);
        meterUsage(metrics, request, target.upstream, usage);
        charges.chargeSession({ apiKey, request }, target, usage);
      }
      return data;
    },
  });
  return { session, usage: () => sum };
}
