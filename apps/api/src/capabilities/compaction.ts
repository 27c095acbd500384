import type { TextTarget } from '@sluice/canonical';
import {
  compactedResponse,
  CompactTopLevel,
  inputItems,
  parseBody,
  parseInput,
  readTextRequest,
  relayedAnswer,
} from '@sluice/protocols';
import { withFallback } from '../routing/with-fallback.ts';
import { noteServed } from '../text/note-served.ts';
import { callUpstream, expectSuccess } from '../text/open-answer.ts';
import { bodyOf, planRequest, type TextPlan } from '../text/plan-text.ts';
import { resolveState } from '../text/resolve-state.ts';
import { summarise } from '../text/summarise.ts';
import type { TextCall, TextRoom } from '../text/text-room.ts';
import { createTurn, type Turn } from '../text/turn.ts';
import { failedAttempt } from '../text/upstream-failure.ts';
import { refuseVendorReferences } from '../text/vendor-references.ts';
import { compactedOutput } from '../text-state/compacted-output.ts';

/**
 * `POST /v1/responses/compact`: a vendor that speaks this protocol compacts itself, and alone can read the result; for the
 * others the model writes a summary, which is sealed here.
 */
export async function compactConversation(room: TextRoom, call: TextCall): Promise<unknown> {
  const asked = parseInput(CompactTopLevel, parseBody(bodyOf(call)));
  const bytes = Buffer.from(JSON.stringify(asked));
  const planned = planRequest(room, call, readTextRequest(call.endpoint.protocol, bytes));
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const { plan } = await resolveState(room, call.apiKey, planned);
  const turn = createTurn(room, {
    request: plan.request,
    owner: call.apiKey.name,
    strict: false,
    headers: call.request.headers,
    signal: call.signal,
  });
  const native = plan.targets.filter(({ target }) => target.protocol === 'responses');
  if (plan.targets[0]?.target.protocol === 'responses') {
    const { body, target } = await compactNatively(room, native, plan, turn);
    noteServed(room, call, { target, relayed: true });
    return call.reply.type('application/json; charset=utf-8').send(body);
  }
  const { sealed, usage, target } = await summarise(room, plan, turn);
  noteServed(room, call, { target, relayed: false, ...(usage && { usage }) });
  const output = compactedOutput({ items: inputItems(plan.request.body(), room.newId), sealed, newId: room.newId });
  void call.reply.headers({ 'x-sluice-upstream': target.upstream });
  const createdAt = Math.floor(room.now() / 1_000);
  return call.reply.send(
    compactedResponse({
      id: room.newId('resp_'),
      createdAt,
      output,
      usage: usage ?? { inputTokens: 0, outputTokens: 0 },
    }),
  );
}

/** Passes the call on. */
function compactNatively(
  room: TextRoom,
  targets: TextPlan['targets'],
  { request }: TextPlan,
  turn: Turn,
): Promise<{ body: Uint8Array; target: TextTarget }> {
  return withFallback(
    targets,
    async (routed) => {
      const asked = JSON.stringify({ ...request.body(), model: routed.target.model });
      const answer = await callUpstream(routed, asked, turn, 'compact');
      await expectSuccess(routed, answer, room.protocols.responses, true);
      try {
        const text = Buffer.from(await answer.body.collect(room.answerBytes)).toString('latin1');
        const body = Buffer.from(relayedAnswer('responses', text, request.model), 'latin1');
        return { body, target: routed.target };
      } catch (error) {
        throw failedAttempt(error);
      }
    },
    { breakers: room.breakers, signal: turn.signal },
  );
}
