import type { Usage } from '@sluice/canonical';
import {
  compactedResponse,
  CompactTopLevel,
  inputItems,
  parseBody,
  parseInput,
  readTextRequest,
  relayedAnswer,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { enterText } from '../text/enter-text.ts';
import { noteServed } from '../text/note-served.ts';
import { noteToldItems } from '../text/note-told-items.ts';
import { callUpstream, expectSuccess } from '../text/open-answer.ts';
import { orderTargets } from '../text/order-targets.ts';
import { bodyOf, planRequest } from '../text/plan-text.ts';
import { resolveState } from '../text/resolve-state.ts';
import { summarise } from '../text/summarise.ts';
import type { TextCall, TextRoom } from '../text/text-room.ts';
import { createTurn, type Turn } from '../text/turn.ts';
import { failedAttempt } from '../text/upstream-failure.ts';
import { refuseVendorReferences } from '../text/vendor-references.ts';
import { compactedOutput } from '../text-state/compacted-output.ts';

/**
 * `POST /v1/responses/compact`: a vendor that speaks this protocol compacts itself, and alone can read the result; for the
 * others, and for those of the protocol that do not have the call, the model writes a summary, which is sealed here.
 */
export async function compactConversation(room: TextRoom, call: TextCall): Promise<unknown> {
  const asked = parseInput(CompactTopLevel, parseBody(bodyOf(call)));
  const bytes = Buffer.from(JSON.stringify(asked));
  const planned = planRequest(room, call, readTextRequest(call.endpoint.protocol, bytes));
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const { plan } = await resolveState(room, call.apiKey, planned);
  await enterText(room, call, plan);
  const turnOf = (request: TextRequest): Turn =>
    createTurn(room, {
      request,
      owner: call.apiKey.name,
      strict: false,
      headers: call.request.headers,
      fare: call.request.fare,
      signal: call.signal,
    });
  const turn = turnOf(plan.request);
  const order = orderTargets(room, call, plan);
  const compact = async (routed: RoutedTarget) => {
    const native = routed.target.protocol === 'responses' ? await compactNatively(room, turn, routed) : undefined;
    return native ?? { ...(await summarise(room, turnOf(withSomeInput(plan.request)), routed)), routed };
  };
  const made = await withFallback(order.targets, compact, room.fallback(turn.signal));
  order.served(made.routed);
  if ('answer' in made) {
    const { answer, routed } = made;
    const body = Buffer.from(relayedAnswer('responses', answer, plan.request.model), 'latin1');
    const { target } = routed;
    const usage = usageOf(room, answer);
    await noteToldItems(room, call.apiKey.name, target.upstream, answer);
    const told = noteServed(room, call, { target, relayed: true, headers: made.headers, ...(usage && { usage }) });
    return call.reply.headers(told).type('application/json; charset=utf-8').send(body);
  }
  const { sealed, usage = { inputTokens: 0, outputTokens: 0 } } = made;
  void call.reply.headers(noteServed(room, call, { ...made, relayed: false }));
  const output = compactedOutput({ items: inputItems(plan.request.body(), room.newId), sealed, newId: room.newId });
  const createdAt = Math.floor(room.now() / 1_000);
  return call.reply.send(compactedResponse({ id: room.newId('resp_'), createdAt, output, usage }));
}

function usageOf({ protocols }: TextRoom, answer: string): Usage | undefined {
  try {
    const told: unknown = JSON.parse(answer);
    const usage = typeof told === 'object' && told !== null && 'usage' in told ? told.usage : undefined;
    return protocols.responses.decodeUsage(usage);
  } catch {
    return undefined; // the client's to see, and nothing to meter
  }
}

/** The vendor's own compaction; one character for each byte. */
interface NativeCompaction {
  routed: RoutedTarget;
  answer: string;
  headers: Readonly<Record<string, string>>;
}

/** A model wants to be told something, also where its vendor keeps all of the conversation. */
function withSomeInput(request: TextRequest): TextRequest {
  const { input, ...body } = request.body();
  const isSilent = input === undefined || input === null || (Array.isArray(input) && input.length === 0);
  return isSilent && typeof body['previous_response_id'] === 'string'
    ? withBody(request, { ...body, input: 'That is all.' })
    : request;
}

/** @returns undefined when the vendor does not have the call */
async function compactNatively(
  room: TextRoom,
  turn: Turn,
  routed: RoutedTarget,
): Promise<NativeCompaction | undefined> {
  const asked = JSON.stringify({ ...turn.request.body(), model: routed.target.model });
  const answer = await callUpstream(routed, asked, turn, 'compact');
  if (answer.status === 404 || answer.status === 405) {
    answer.body.abort();
    return undefined;
  }
  await expectSuccess(routed, answer, room.protocols.responses, true);
  try {
    const text = Buffer.from(await answer.body.collect(room.answerBytes)).toString('latin1');
    return { routed, answer: text, headers: answer.headers };
  } catch (error) {
    throw failedAttempt(error);
  }
}
