import { GatewayError } from '@sluice/canonical';
import { withBody } from '@sluice/protocols';
import { newResponseId } from '@sluice/responses';
import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { type AlternativePlan, planText, type TextPlan } from '../generation/plan-text.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { resolveFiles } from '../generation/references/resolve-files.ts';
import { mayContinueElsewhere } from '../generation/open-plan.ts';
import { type ServeOptions, serveText } from '../generation/serve-text.ts';
import { encodeVendorLine } from '../generation/vendor-lines/encode-vendor-line.ts';
import { recordVendorLine } from '../generation/vendor-lines/record-vendor-line.ts';
import type { StoredRun } from '../auth/stored-run.ts';
import { refuseVendorReferences } from '../generation/references/vendor-references.ts';
import { compactTriggered, isCompactionTriggered } from './compact-triggered.ts';
import { queueResponse } from './queue-response.ts';
import { repetitionOf, sendRepeated } from './repeated-response.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { type ResolvedState, resolveState } from './state/resolve-state.ts';
import { type ResponseHead, type ResponseInput, storeResponse } from './store-response.ts';

/**
 * Serves `POST /v1/responses`. Vendors with the Responses API store their own responses, and run their own background
 * responses. Responses from other upstreams are stored here, and workers run them in the background.
 */
export async function createResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const { vendorLine } = call.apiKey;
  if (vendorLine?.step === 'record') return recordVendorLine(deps, call, vendorLine);
  const plan = planText(deps, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  const sent = plan.request;
  const isBackground = sent.member('background') === true;
  const repetition = isBackground ? repetitionOf(call, sent) : undefined;
  const earlier = repetition && (await deps.responses.findRepeated(call.apiKey.name, repetition));
  if (earlier) {
    // The earlier request has reserved the cost, so this one counts only towards the requests per minute.
    await deps.charges.reserve(call, { protocol: call.endpoint.protocol.name });
    return sendRepeated(deps, call, earlier);
  }
  const sentBody = (): Record<string, unknown> => sent.body();
  const resolved = await withFiles(deps, call, await resolveState(deps, call.apiKey, plan));
  if (vendorLine) return encodeVendorLine(deps, call, resolved.plan, vendorLine);
  await reserveText(deps, call, resolved.plan);
  if (call.apiKey.run) return serveRun(deps, call, resolved, { ...call.apiKey.run, sentBody });
  const isNative = resolved.plan.targets[0]?.target.protocol === 'responses';
  if (!isNative && isCompactionTriggered(sent)) return compactTriggered(deps, call, resolved.plan);

  const head = headOf(deps, call, plan, resolved.previousId);
  const inputOf = (): ResponseInput => {
    const { input: _stored, ...body } = sentBody();
    return { body, inputItems: resolved.ownItems() };
  };
  const queue = () => queueResponse(deps, call, { ...head, ...inputOf() }, repetition);
  if (isBackground && !isNative) return queue();
  const options = { responseId: head.id, sentBody, losses: resolved.losses };
  if (sent.member('store') === false) {
    return serveText(deps, call, resolved.plan, { ...options, alternative: resolved.alternative });
  }
  const request = { head, inputOf, isBackground, charge: isBackground ? call.request.charge : undefined };
  const store: ServeOptions['store'] = (opened, generation, translated) =>
    storeResponse(deps, request, opened, generation, translated);
  if (!isBackground) {
    return serveText(deps, call, resolved.plan, { ...options, alternative: resolved.alternative, store });
  }
  const targets = resolved.plan.targets.filter(isOfResponses);
  const mayQueue = targets.length < resolved.plan.targets.length || resolved.alternative !== undefined;
  const atVendor = serveText(deps, call, { ...resolved.plan, targets }, { ...options, storesEarly: true, store });
  return atVendor.catch((error: unknown) => {
    if (mayQueue && mayContinueElsewhere(error, call)) return queue();
    throw error;
  });
}

function isTranslated(target: TextPlan['targets'][number]): boolean {
  return !isOfResponses(target);
}

function isOfResponses({ target }: TextPlan['targets'][number]): boolean {
  return target.protocol === 'responses';
}

/**
 * Serves the request of a worker that runs a background response. Only upstreams of other protocols can serve it, because
 * vendors with the Responses API choose the ids of their responses.
 */
async function serveRun(
  deps: ResponsesDeps,
  call: TextCall,
  { plan, losses, alternative }: ResolvedState,
  { responseId, createdAt, sentBody }: StoredRun & { sentBody: () => Record<string, unknown> },
): Promise<unknown> {
  const runs = (planned: TextPlan | undefined) => planned?.targets.some(isTranslated) === true;
  const other = runs(plan) ? { plan, losses } : await alternative?.();
  if (!other || !runs(other.plan)) {
    throw new GatewayError('no_upstream', 'No other upstream of this model can continue the conversation.');
  }
  const targets = other.plan.targets.filter(isTranslated);
  const { background: _background, ...body } = other.plan.request.body();
  const request = withBody(other.plan.request, { ...body, stream: true }, true);
  const options = { responseId, createdAt, sentBody, losses: other.losses };
  return serveText(deps, call, { ...other.plan, request, targets }, options);
}

/** Resolves files after the state, because earlier turns can refer to files too. Stored items keep the references. */
async function withFiles(deps: ResponsesDeps, call: TextCall, resolved: ResolvedState): Promise<ResolvedState> {
  const { plan, alternative } = resolved;
  const mayUpload = call.apiKey.vendorLine === undefined && !isCompactionTriggered(plan.request);
  const other = async (): Promise<AlternativePlan | undefined> => {
    const found = await alternative?.();
    return found && { ...found, plan: await resolveFiles(deps, call, found.plan, mayUpload) };
  };
  return { ...resolved, plan: await resolveFiles(deps, call, plan, mayUpload), alternative: alternative && other };
}

function headOf(
  { now }: Pick<GenerationDeps, 'now'>,
  { apiKey }: TextCall,
  { request: { model } }: TextPlan,
  previousId: string | undefined,
): ResponseHead {
  return {
    id: newResponseId(),
    owner: apiKey.name,
    model,
    createdAt: Math.floor(now() / 1_000),
    ...(previousId !== undefined && { previousId }),
  };
}
