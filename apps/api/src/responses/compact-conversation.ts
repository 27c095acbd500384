import type { Usage } from '@sluice/canonical';
import {
  compactedResponse,
  CompactTopLevel,
  inputItems,
  parseBody,
  parseInput,
  readTextRequest,
  relayedResponse,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { recordServed } from '../routing/record-served.ts';
import { recordReportedItems } from './store/record-reported-items.ts';
import { callUpstream, expectSuccess } from '../generation/request-completion.ts';
import { orderTargets } from '../generation/order-targets.ts';
import { bodyOf, planRequest } from '../generation/plan-text.ts';
import { resolveState } from './state/resolve-state.ts';
import { summarize } from './compaction/summarize.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { createTextContext, type TextContext } from '../generation/text-context.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { refuseVendorReferences } from '../generation/vendor-references.ts';
import { compactedOutput } from './compaction/compacted-output.ts';

/**
 * `POST /v1/responses/compact`: a vendor that speaks this protocol compacts itself, and alone can read the result; for the
 * others, and for those of the protocol that do not have the call, the model writes a summary, which is sealed here.
 */
export async function compactConversation(deps: GenerationDeps, call: TextCall): Promise<unknown> {
  const asked = parseInput(CompactTopLevel, parseBody(bodyOf(call)));
  const bytes = Buffer.from(JSON.stringify(asked));
  const planned = planRequest(deps, call, readTextRequest(call.endpoint.protocol, bytes));
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const { plan } = await resolveState(deps, call.apiKey, planned);
  await reserveText(deps, call, plan);
  const contextFor = (request: TextRequest): TextContext =>
    createTextContext(deps, {
      request,
      owner: call.apiKey.name,
      strict: false,
      headers: call.request.headers,
      charge: call.request.charge,
      signal: call.signal,
    });
  const context = contextFor(plan.request);
  const order = orderTargets(deps, call, plan);
  const compact = async (routed: RoutedTarget) => {
    const native = routed.target.protocol === 'responses' ? await compactNatively(deps, context, routed) : undefined;
    return native ?? { ...(await summarize(deps, contextFor(withSomeInput(plan.request)), routed)), routed };
  };
  const made = await withFallback(order.targets, compact, deps.fallback(context.signal));
  order.served(made.routed);
  if ('response' in made) {
    const { response, routed } = made;
    const body = Buffer.from(relayedResponse('responses', response, plan.request.model), 'latin1');
    const { target } = routed;
    const usage = usageOf(deps, response);
    await recordReportedItems(deps, call.apiKey.name, target.upstream, response);
    const told = recordServed(deps, call, { target, relayed: true, headers: made.headers, ...(usage && { usage }) });
    return call.reply.headers(told).type('application/json; charset=utf-8').send(body);
  }
  const { encryptedContent, usage = { inputTokens: 0, outputTokens: 0 } } = made;
  void call.reply.headers(recordServed(deps, call, { ...made, relayed: false }));
  const output = compactedOutput({
    items: inputItems(plan.request.body(), deps.newId),
    encryptedContent,
    newId: deps.newId,
  });
  const createdAt = Math.floor(deps.now() / 1_000);
  return call.reply.send(compactedResponse({ id: deps.newId('resp_'), createdAt, output, usage }));
}

function usageOf({ protocols }: GenerationDeps, response: string): Usage | undefined {
  try {
    const told: unknown = JSON.parse(response);
    const usage = typeof told === 'object' && told !== null && 'usage' in told ? told.usage : undefined;
    return protocols.responses.decodeUsage(usage);
  } catch {
    return undefined; // the client's to see, and nothing to meter
  }
}

/** The vendor's own compaction; one character for each byte. */
interface NativeCompaction {
  routed: RoutedTarget;
  response: string;
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
  deps: GenerationDeps,
  context: TextContext,
  routed: RoutedTarget,
): Promise<NativeCompaction | undefined> {
  const asked = JSON.stringify({ ...context.request.body(), model: routed.target.model });
  const response = await callUpstream(routed, asked, context, 'compact');
  if (response.status === 404 || response.status === 405) {
    response.body.abort();
    return undefined;
  }
  await expectSuccess(routed, response, deps.protocols.responses, true);
  try {
    const text = Buffer.from(await response.body.collect(deps.responseBytes)).toString('latin1');
    return { routed, response: text, headers: response.headers };
  } catch (error) {
    throw failedAttempt(error);
  }
}
