import type { GenerationDeps, TextCall } from '../generation/generation-deps.ts';
import { planText, type TextPlan } from '../generation/plan-text.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { serveText } from '../generation/serve-text.ts';
import { refuseVendorReferences } from '../generation/vendor-references.ts';
import { compactTriggered, isCompactionTriggered } from './compact-triggered.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { startInBackground } from './run-in-background.ts';
import { resolveState } from './state/resolve-state.ts';
import { type ResponseHead, type ResponseInput, storeResponse } from './store-response.ts';
import { newResponseId } from './store/stored-response.ts';

/**
 * Serves `POST /v1/responses`. Vendors with the Responses API store their own responses. Responses from other upstreams
 * are stored here.
 */
export async function createResponse(deps: ResponsesDeps, call: TextCall): Promise<unknown> {
  const plan = planText(deps, call);
  if (!call.apiKey.mayUseVendorReferences) refuseVendorReferences(plan.request);
  const sent = plan.request;
  const sentBody = (): Record<string, unknown> => sent.body();
  const resolved = await resolveState(deps, call.apiKey, plan);
  await reserveText(deps, call, resolved.plan);
  const isNative = resolved.plan.targets[0]?.target.protocol === 'responses';
  if (!isNative && isCompactionTriggered(sent)) return compactTriggered(deps, call, resolved.plan);

  const isBackground = sent.member('background') === true;
  const head = headOf(deps, call, plan, { previousId: resolved.previousId, isCharged: isBackground && isNative });
  const inputOf = (): ResponseInput => {
    const { input: _stored, ...body } = sentBody();
    return { body, inputItems: resolved.ownItems() };
  };
  if (isBackground && !isNative) return startInBackground(deps, call, resolved.plan, { ...head, ...inputOf() });
  const common = { responseId: head.id, sentBody };
  if (sent.member('store') === false) return serveText(deps, call, resolved.plan, common);
  return serveText(deps, call, resolved.plan, {
    ...common,
    storesEarly: isBackground,
    store: (opened, generation, request) => storeResponse(deps, head, inputOf, opened, generation, request),
  });
}

/** @param isCharged whether the reservation is charged before the vendor reports the usage */
function headOf(
  { now }: Pick<GenerationDeps, 'now'>,
  { apiKey, request: { ledger, charge } }: TextCall,
  { request: { model } }: TextPlan,
  { previousId, isCharged }: { previousId: string | undefined; isCharged: boolean },
): ResponseHead {
  const charged = isCharged ? charge?.max.usage : undefined;
  return {
    id: newResponseId(),
    owner: apiKey.name,
    model,
    createdAt: Math.floor(now() / 1_000),
    ...(previousId !== undefined && { previousId }),
    ...(charged && { charged, ...(ledger && { ledger: ledger.sharedFields() }) }),
  };
}
