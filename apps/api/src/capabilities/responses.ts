import { GatewayError, type GenerationRequest } from '@sluice/canonical';
import { responseObject } from '@sluice/protocols';
import type { RoutedTarget } from '../routing/targets.ts';
import { withFallback } from '../routing/with-fallback.ts';
import { compactTriggered, isCompactionTriggered } from '../text/compact-triggered.ts';
import { enterText } from '../text/enter-text.ts';
import { type AnswerHead, type AnswerInput, finalState, keepResponse } from '../text/keep-response.ts';
import { meterUsage } from '../text/meter-text.ts';
import { lostFields, openAnswer } from '../text/open-answer.ts';
import { orderTargets } from '../text/order-targets.ts';
import type { TextPlan } from '../text/plan-text.ts';
import { resolveState } from '../text/resolve-state.ts';
import { serveText } from '../text/serve-text.ts';
import type { TextCall, TextRoom } from '../text/text-room.ts';
import { createTurn } from '../text/turn.ts';
import { unstreamed } from '../text/unstreamed.ts';
import { newResponseId, type StoredResponse } from '../text-state/stored-response.ts';
import type { RunningResponse } from '../text-state/running-response.ts';

/**
 * `POST /v1/responses`: the same as any text, and what is kept between requests. A vendor that speaks this protocol keeps
 * its answers itself; for the others they are kept here.
 */
export async function generateResponse(room: TextRoom, call: TextCall, plan: TextPlan): Promise<unknown> {
  const owner = call.apiKey.name;
  const sent = plan.request;
  const sentBody = (): Record<string, unknown> => sent.body();
  const resolved = await resolveState(room, call.apiKey, plan);
  await enterText(room, call, resolved.plan);
  const isNative = resolved.plan.targets[0]?.target.protocol === 'responses';
  if (!isNative && isCompactionTriggered(sent)) return compactTriggered(room, call, resolved.plan);

  const { previousId, ownItems } = resolved;
  const answerId = newResponseId();
  const isBackground = sent.member('background') === true;
  const { most } = call.request.fare ?? {};
  const head: AnswerHead = {
    id: answerId,
    owner,
    model: sent.model,
    createdAt: Math.floor(room.now() / 1_000),
    ...(previousId !== undefined && { previousId }),
    ...(isBackground && isNative && most?.usage && { charged: most.usage }),
  };
  const said = (): AnswerInput => {
    const { input: _kept, ...body } = sentBody();
    return { body, inputItems: ownItems() };
  };
  if (isBackground && !isNative) {
    return startInBackground(room, call, resolved.plan, { ...head, ...said() });
  }
  const common = { answerId, sentBody };
  if (sent.member('store') === false) return serveText(room, call, resolved.plan, common);
  return serveText(room, call, resolved.plan, {
    ...common,
    keepsEarly: isBackground,
    keep: (opened, generation, request) => keepResponse(room, head, said, opened, generation, request),
  });
}

/** Answers at once and goes on without the client, which asks for the answer later. */
async function startInBackground(
  room: TextRoom,
  call: TextCall,
  plan: TextPlan,
  draft: AnswerHead & AnswerInput,
): Promise<unknown> {
  if (plan.request.stream || plan.request.member('store') === false) {
    const what = plan.request.stream ? 'streamed' : 'left unkept';
    throw new GatewayError('unsupported_parameter', `A response in the background cannot be ${what} with this model.`, {
      param: 'background',
    });
  }
  call.signal.throwIfAborted();
  if (room.background.isEnding()) throw stopped();
  const record: StoredResponse = {
    ...draft,
    upstream: plan.targets[0]?.target.upstream ?? '',
    native: false,
    status: 'in_progress',
    outputItems: [],
  };
  const { fare } = call.request;
  // Before anything is waited for: the client may leave meanwhile.
  fare?.defer();
  const running = await room.responses.markInProgress(record).catch((error: unknown) => {
    fare?.waive();
    throw error;
  });
  room.background.run((stopping) => runInBackground(room, call, plan, record, running, stopping));
  const { id, createdAt, model, body } = record;
  return call.reply.send(responseObject({ id, createdAt, model, body, status: 'queued' }));
}

/** Makes an answer that nobody waits for. Never throws: what goes wrong is kept as its result. */
async function runInBackground(
  room: TextRoom,
  call: TextCall,
  plan: TextPlan,
  record: StoredResponse,
  running: RunningResponse,
  stopping: AbortSignal,
): Promise<void> {
  const { canceled } = running;
  const { fare } = call.request;
  const signal = AbortSignal.any([canceled, stopping]);
  let final: StoredResponse;
  try {
    final = await makeResponse(room, call, plan, record, signal);
  } catch (caught) {
    const error = stopping.aborted && !canceled.aborted ? stopped() : caught;
    const known = error instanceof GatewayError;
    const message = known ? error.message : 'Something went wrong here.';
    if (!known && !canceled.aborted) room.logger.error({ err: error }, 'a response in the background failed');
    final = {
      ...record,
      status: canceled.aborted ? 'cancelled' : 'failed',
      error: { code: known ? error.code : 'server_error', message },
    };
  }
  // What was served is paid; else it has failed, or was broken off from here.
  if (signal.aborted) fare?.settleLeft();
  else fare?.waive();
  await running.finish(final).catch((error: unknown) => {
    room.logger.error({ err: error }, 'the result of a response in the background could not be kept');
  });
}

async function makeResponse(
  room: TextRoom,
  call: TextCall,
  plan: TextPlan,
  record: StoredResponse,
  signal: AbortSignal,
): Promise<StoredResponse> {
  const turn = createTurn(room, {
    request: unstreamed(plan.request),
    owner: record.owner,
    strict: call.apiKey.strict || plan.found.model.strict,
    headers: call.request.headers,
    fare: call.request.fare,
    signal,
    answerId: record.id,
  });
  const order = orderTargets(room, call, plan);
  const ask = (routed: RoutedTarget) => openAnswer(room, turn, routed);
  const opened = await withFallback(order.targets, ask, room.fallback(signal));
  order.served(opened.routed);
  const request: GenerationRequest = (await turn.wish()).generation;
  const { generation, usage } = opened.whole ?? {};
  if (!generation) throw new Error('a translated answer is there as a whole');
  const { target } = opened.routed;
  if (usage) meterUsage(room, target.upstream, usage);
  call.request.fare?.settle(usage);
  const dropped = lostFields(opened.exchange.losses);
  // The request's own line was written when its client had been answered.
  room.logger.info(
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
  return { ...record, upstream: target.upstream, ...finalState(room, record, generation, request) };
}

function stopped(): GatewayError {
  return new GatewayError('no_upstream', 'The gateway was stopped before the response was there. Ask again.', {
    retryAfterMs: 1_000,
  });
}
