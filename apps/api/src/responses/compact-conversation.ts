import { accountName } from '@sluice/canonical';
import {
  compactedResponse,
  CompactTopLevel,
  inputItems,
  parseBody,
  parseInput,
  readTextRequest,
  responsesProtocol,
  editObject,
  type TextRequest,
  withBody,
} from '@sluice/protocols';
import type { AttemptTrace } from '@sluice/telemetry';
import { callUpstream, expectSuccess } from '../generation/call-upstream.ts';
import type { TextCall } from '../generation/generation-deps.ts';
import { orderTargets } from '../generation/order-targets.ts';
import { bodyOf, planRequest } from '../generation/plan-text.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { createTextContext, type TextContext } from '../generation/text-context.ts';
import { resolveFiles } from '../generation/references/resolve-files.ts';
import { refuseVendorReferences } from '../generation/references/vendor-references.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { recordServed } from '../routing/record-served.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { failedAttempt } from '../routing/upstream-failure.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { compactedOutput } from './compaction/compacted-output.ts';
import { type EncodedSummary, summarize } from './compaction/summarize.ts';
import { reportedUsage } from './read-ended.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { resolveState } from './state/resolve-state.ts';
import { recordReportedItems } from './store/record-reported-items.ts';

/**
 * Compacts a conversation. Vendors with the Responses API do this themselves, and only they can read the result. For
 * other vendors, the model writes a summary, which is encrypted here.
 */
export async function compactConversation(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const sent = parseInput(CompactTopLevel, parseBody(bodyOf(call)));
  const bytes = Buffer.from(JSON.stringify(sent));
  const planned = planRequest(deps, call, readTextRequest(call.endpoint.protocol, bytes));
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(planned.request);
  const resolved = await resolveState(deps, call.apiKey, planned);
  const plan = await resolveFiles(deps, call, resolved.plan, false);
  await reserveText(deps, call, plan);
  const contextFor = (request: TextRequest): TextContext => createTextContext(deps, call, { request, strict: false });
  const context = contextFor(plan.request);
  const order = orderTargets(deps, call, plan);
  const compact = async (routed: RoutedTarget, trace?: AttemptTrace) => {
    const native =
      routed.target.protocol === 'responses'
        ? await compactNatively(deps.responseBytes, context, routed, trace)
        : undefined;
    return native ?? { ...(await summarize(deps, contextFor(withSomeInput(plan.request)), routed, trace)), routed };
  };
  const result = await withFallback(order.targets, compact, deps.fallback(call, 'compact'));
  order.onServed(result.routed);
  return 'response' in result
    ? sendNative(deps, call, plan.request, result)
    : sendSummary(deps, call, plan.request, result);
}

async function sendNative(
  deps: ResponsesDeps,
  { apiKey, request, reply }: TextCall,
  { model }: TextRequest,
  { routed: { target }, response, headers }: NativeCompaction,
): Promise<unknown> {
  const body = Buffer.from(editObject('responses', response, model), 'latin1');
  await recordReportedItems(deps, apiKey.name, accountName(target), response);
  const usage = reportedUsage(response);
  meterUsage(deps.metrics, request, target.upstream, usage);
  void reply.headers(recordServed(request, { target, relayed: true, headers, usage }));
  return reply.type('application/json; charset=utf-8').send(body);
}

function sendSummary(
  { metrics, newId, now }: ResponsesDeps,
  { request, reply }: TextCall,
  compacted: TextRequest,
  summary: EncodedSummary,
): unknown {
  const { encryptedContent, usage = { inputTokens: 0, outputTokens: 0 } } = summary;
  meterUsage(metrics, request, summary.target.upstream, summary.usage);
  void reply.headers(recordServed(request, { ...summary, relayed: false }));
  const output = compactedOutput({ items: inputItems(compacted.body(), newId), encryptedContent, newId });
  const createdAt = Math.floor(now() / 1_000);
  return reply.send(compactedResponse({ id: newId('resp_'), createdAt, output, usage }));
}

/** `response` is the vendor's compaction, decoded as one character per byte. */
interface NativeCompaction {
  routed: RoutedTarget;
  response: string;
  headers: Readonly<Record<string, string>>;
}

/** Models require a non-empty input, even if their vendor stores the entire conversation. */
function withSomeInput(request: TextRequest): TextRequest {
  const { input, ...body } = request.body();
  const isEmpty = input === undefined || input === null || (Array.isArray(input) && input.length === 0);
  return isEmpty && typeof body['previous_response_id'] === 'string'
    ? withBody(request, { ...body, input: '-' })
    : request;
}

async function compactNatively(
  maxBytes: number,
  context: TextContext,
  routed: RoutedTarget,
  trace: AttemptTrace | undefined,
): Promise<NativeCompaction | undefined> {
  const body = JSON.stringify({ ...context.request.body(), model: routed.target.model });
  const response = await callUpstream(routed, body, context, 'compact', trace);
  if (response.status === 404 || response.status === 405) {
    response.body.abort();
    return undefined;
  }
  await expectSuccess(routed, response, responsesProtocol, true);
  try {
    const text = Buffer.from(await response.body.collect(maxBytes)).toString('latin1');
    return { routed, response: text, headers: response.headers };
  } catch (error) {
    throw failedAttempt(error);
  }
}
