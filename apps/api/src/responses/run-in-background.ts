import { GatewayError, GATEWAY_MESSAGES } from '@sluice/canonical';
import { responseObject } from '@sluice/protocols';
import { type AttemptTrace, traceFields } from '@sluice/telemetry';
import type { TextCall } from '../generation/generation-deps.ts';
import { orderTargets } from '../generation/order-targets.ts';
import type { TextPlan } from '../generation/plan-text.ts';
import { requestCompletion, servedOf } from '../generation/request-completion.ts';
import { createTextContext } from '../generation/text-context.ts';
import { internalError } from '../http/gateway-error-of.ts';
import { meterUsage } from '../metering/meter-usage.ts';
import { attemptFields } from '../routing/record-attempt.ts';
import { servedFields } from '../routing/record-served.ts';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import type { ResponsesDeps } from './responses-deps.ts';
import { finalState, type ResponseHead, type ResponseInput } from './store-response.ts';
import type { RunningResponse } from './store/running-response.ts';
import type { StoredResponse } from './store/stored-response.ts';
import { unstreamed } from './unstreamed.ts';

/** Responds immediately. The client retrieves the finished response later. */
export async function startInBackground(
  deps: ResponsesDeps,
  call: TextCall,
  plan: TextPlan,
  draft: ResponseHead & ResponseInput,
): Promise<unknown> {
  if (plan.request.stream) throw unsupported('`stream: true`');
  if (plan.request.member('store') === false) throw unsupported('`store: false`');
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
  // Called before the first await, because the client may disconnect while this function waits.
  charge?.defer();
  const running = await deps.responses.markInProgress(record).catch((error: unknown) => {
    charge?.release();
    throw error;
  });
  deps.background.run((stopping) => runInBackground(deps, call, plan, record, running, stopping));
  const { id, createdAt, model, body } = record;
  return call.reply.send(responseObject({ id, createdAt, model, body, status: 'queued' }));
}

/** Never throws. An error is stored as the result. */
async function runInBackground(
  deps: ResponsesDeps,
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
    final = await generate(deps, call, plan, record, signal);
  } catch (caught) {
    const error = stopping.aborted && !canceled.aborted ? stopped() : caught;
    const isKnown = error instanceof GatewayError;
    if (!isKnown && !canceled.aborted) deps.logger.error({ err: error }, 'background response failed');
    final = {
      ...record,
      status: canceled.aborted ? 'cancelled' : 'failed',
      error: isKnown
        ? { code: error.code, message: error.message }
        : { code: 'server_error', message: internalError(error).message },
    };
  }
  // Has no effect after a success, which has already recorded its usage.
  if (signal.aborted) charge?.recordAborted();
  else charge?.release();
  await running.finish(final).catch((error: unknown) => {
    deps.logger.error({ err: error }, 'background response could not be stored');
  });
}

async function generate(
  deps: ResponsesDeps,
  call: TextCall,
  plan: TextPlan,
  record: StoredResponse,
  signal: AbortSignal,
): Promise<StoredResponse> {
  const context = createTextContext(deps, call, {
    request: unstreamed(plan.request),
    strict: call.apiKey.strict || plan.resolvedModel.model.strict,
    signal,
    responseId: record.id,
  });
  const order = orderTargets(deps, call, plan);
  const attempt = (routed: RoutedTarget, trace?: AttemptTrace) => requestCompletion(deps, context, routed, trace);
  const opened = await withFallback(order.targets, attempt, deps.fallback({ reply: call.reply, signal }));
  order.onServed(opened.routed);
  const { generation, usage } = opened.buffered ?? {};
  if (!generation) throw new Error('a translated response is buffered');
  const { upstream } = opened.routed.target;
  // The charge is for the upstream that served the request.
  const served = servedFields({ ...servedOf(opened), relayed: false });
  call.request.served = { ...served, usage: () => usage };
  meterUsage(deps.metrics, call.request, upstream, usage);
  call.request.charge?.record(usage);
  // The request's own log line is written before the response is finished.
  deps.logger.info(
    {
      request_id: call.request.id,
      ...traceFields(call.request.trace),
      client: record.owner,
      model: record.model,
      ...served,
      ...attemptFields(call.request.attempts),
      ...(usage && { usage }),
    },
    'background response',
  );
  const request = (await context.decoded()).generation;
  return { ...record, upstream, ...finalState(deps, record, generation, request) };
}

function unsupported(setting: string): GatewayError {
  const message = `This model does not support \`background\` with ${setting}. Remove one of them.`;
  return new GatewayError('unsupported_parameter', message, { param: 'background' });
}

function stopped(): GatewayError {
  return new GatewayError('no_upstream', GATEWAY_MESSAGES.serverStopped, { retryAfterMs: 1_000 });
}
