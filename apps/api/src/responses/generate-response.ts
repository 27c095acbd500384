import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { responseObject } from '@sluice/protocols';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { compactTriggered, isCompactionTriggered } from './compact-triggered.ts';
import { reserveText } from '../generation/reserve-text.ts';
import { type ResponseHead, type ResponseInput, finalState, storeResponse } from './store-response.ts';
import { meterUsage } from '../generation/meter-text.ts';
import { lostFields, requestCompletion } from '../generation/request-completion.ts';
import { orderTargets } from '../generation/order-targets.ts';
import type { TextPlan } from '../generation/plan-text.ts';
import { resolveState } from './state/resolve-state.ts';
import { serveText } from '../generation/serve-text.ts';
import type { TextCall, GenerationDeps } from '../generation/text-services.ts';
import { createTextContext } from '../generation/text-context.ts';
import { unstreamed } from './unstreamed.ts';
import { newResponseId, type StoredResponse } from './store/stored-response.ts';
import type { RunningResponse } from './store/running-response.ts';

/**
 * `POST /v1/responses`: the same as any text, and what is kept between requests. A vendor that speaks this protocol keeps
 * its answers itself; for the others they are kept here.
 */
export async function generateResponse(deps: GenerationDeps, call: TextCall, plan: TextPlan): Promise<unknown> {
  const owner = call.apiKey.name;
  const sent = plan.request;
  const sentBody = (): Record<string, unknown> => sent.body();
  const resolved = await resolveState(deps, call.apiKey, plan);
  await reserveText(deps, call, resolved.plan);
  const isNative = resolved.plan.targets[0]?.target.protocol === 'responses';
  if (!isNative && isCompactionTriggered(sent)) return compactTriggered(deps, call, resolved.plan);

  const { previousId, ownItems } = resolved;
  const responseId = newResponseId();
  const isBackground = sent.member('background') === true;
  const { max } = call.request.charge ?? {};
  const head: ResponseHead = {
    id: responseId,
    owner,
    model: sent.model,
    createdAt: Math.floor(deps.now() / 1_000),
    ...(previousId !== undefined && { previousId }),
    ...(isBackground && isNative && max?.usage && { charged: max.usage }),
  };
  const said = (): ResponseInput => {
    const { input: _kept, ...body } = sentBody();
    return { body, inputItems: ownItems() };
  };
  if (isBackground && !isNative) {
    return startInBackground(deps, call, resolved.plan, { ...head, ...said() });
  }
  const common = { responseId, sentBody };
  if (sent.member('store') === false) return serveText(deps, call, resolved.plan, common);
  return serveText(deps, call, resolved.plan, {
    ...common,
    storesEarly: isBackground,
    keep: (opened, generation, request) => storeResponse(deps, head, said, opened, generation, request),
  });
}

/** Answers at once and goes on without the client, which asks for the answer later. */
async function startInBackground(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  draft: ResponseHead & ResponseInput,
): Promise<unknown> {
  if (plan.request.stream || plan.request.member('store') === false) {
    const what = plan.request.stream ? 'streamed' : 'left unkept';
    throw new GatewayError('unsupported_parameter', `A response in the background cannot be ${what} with this model.`, {
      param: 'background',
    });
  }
  call.signal.throwIfAborted();
  if (deps.background.isEnding()) throw stopped();
  const record: StoredResponse = {
    ...draft,
    upstream: plan.targets[0]?.target.upstream ?? '',
    native: false,
    status: 'in_progress',
    outputItems: [],
  };
  const { charge } = call.request;
  // Before anything is waited for: the client may leave meanwhile.
  charge?.defer();
  const running = await deps.responses.markInProgress(record).catch((error: unknown) => {
    charge?.release();
    throw error;
  });
  deps.background.run((stopping) => runInBackground(deps, call, plan, record, running, stopping));
  const { id, createdAt, model, body } = record;
  return call.reply.send(responseObject({ id, createdAt, model, body, status: 'queued' }));
}

/** Makes an answer that nobody waits for. Never throws: what goes wrong is kept as its result. */
async function runInBackground(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  record: StoredResponse,
  running: RunningResponse,
  stopping: AbortSignal,
): Promise<void> {
  const { canceled } = running;
  const { charge } = call.request;
  const signal = AbortSignal.any([canceled, stopping]);
  let final: StoredResponse;
  try {
    final = await makeResponse(deps, call, plan, record, signal);
  } catch (caught) {
    const error = stopping.aborted && !canceled.aborted ? stopped() : caught;
    const known = error instanceof GatewayError;
    const message = known ? error.message : 'Something went wrong here.';
    if (!known && !canceled.aborted) deps.logger.error({ err: error }, 'a response in the background failed');
    final = {
      ...record,
      status: canceled.aborted ? 'cancelled' : 'failed',
      error: { code: known ? error.code : 'server_error', message },
    };
  }
  // What was served is paid; else it has failed, or was broken off from here.
  if (signal.aborted) charge?.recordAborted();
  else charge?.release();
  await running.finish(final).catch((error: unknown) => {
    deps.logger.error({ err: error }, 'the result of a response in the background could not be kept');
  });
}

async function makeResponse(
  deps: GenerationDeps,
  call: TextCall,
  plan: TextPlan,
  record: StoredResponse,
  signal: AbortSignal,
): Promise<StoredResponse> {
  const context = createTextContext(deps, {
    request: unstreamed(plan.request),
    owner: record.owner,
    strict: call.apiKey.strict || plan.found.model.strict,
    headers: call.request.headers,
    charge: call.request.charge,
    signal,
    responseId: record.id,
  });
  const order = orderTargets(deps, call, plan);
  const ask = (routed: RoutedTarget) => requestCompletion(deps, context, routed);
  const opened = await withFallback(order.targets, ask, deps.fallback(signal));
  order.served(opened.routed);
  const request: GenerationRequest = (await context.params()).generation;
  const { generation, usage } = opened.whole ?? {};
  if (!generation) throw new Error('a translated answer is there as a whole');
  const { target } = opened.routed;
  if (usage) meterUsage(deps, target.upstream, usage);
  call.request.charge?.settle(usage);
  const dropped = lostFields(opened.exchange.losses);
  // The request's own line was written when its client had been answered.
  deps.logger.info(
    {
      request_id: call.request.id,
      client: record.owner,
      upstream: target.upstream,
      upstream_model: target.model,
      relayed: false,
      ...(usage && { usage }),
      ...(dropped.length > 0 && { dropped }),
    },
    'response in the background',
  );
  return { ...record, upstream: target.upstream, ...finalState(deps, record, generation, request) };
}

function stopped(): GatewayError {
  return new GatewayError('no_upstream', 'The gateway was stopped before the response was there. Ask again.', {
    retryAfterMs: 1_000,
  });
}
