import {
  type CancelOutcome,
  type FindOutcome,
  GatewayError,
  type MediaCapability,
  type MediaRequest,
  type ObserveResponse,
  type IndexedOutput,
  type PollOutcome,
  type Review,
  type SubmitOutcome,
  UnsupportedParamsError,
  type UpstreamJob,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';
import { accountIdOf } from './account-id.ts';
import { closeFiles } from './form-files.ts';
import { ImageError } from './plan/image-bytes.ts';
import type { ContentAccess, MediaWire, VendorCall } from './media-wire.ts';
import { downloadFor, openedOr, openResult } from './open-result.ts';
import { jsonOf, type SignCall, urlBelow, type VendorCaller, vendorCaller } from './vendor-caller.ts';

interface Connection<R extends MediaRequest, P extends Review> {
  account: UpstreamAccount;
  accountId: string;
  context: UpstreamContext;
  wire: MediaWire<R, P>;
  caller: VendorCaller;
}

/**
 * Creates a capability from a vendor's wire: signs and sends its calls and maps network failures to outcomes.
 *
 * A submission is one POST, retried only if it was refused for the time of its signature. A job stays at the base URL
 * that accepted it. If the account now has another origin, its credential is not sent to the old one.
 */
export function createMediaUpstream<R extends MediaRequest, P extends Review>(
  account: UpstreamAccount,
  context: UpstreamContext,
  sign: SignCall,
  wire: MediaWire<R, P>,
): MediaCapability<R> {
  const caller = vendorCaller(account, context, sign, (response) => wire.refusesSignatureTime?.(response) === true);
  const accountId = accountIdOf(account);
  const connection: Connection<R, P> = { account, accountId, context, wire, caller };
  const capability: MediaCapability<R> = {
    baseUrl: account.base_url.replace(/\/+$/, ''),
    account: accountId,
    review: (model, request, report) => {
      const { seconds } = wire.plan(model, request, report);
      return seconds === undefined ? {} : { seconds };
    },
    submit: (...args) => submit(connection, ...args),
    poll: (job, signal, observe) => poll(connection, job, signal, { observe }),
    openContent: (...args) => openContent(connection, ...args),
  };
  const jobPath = wire.jobPath?.bind(wire);
  if (jobPath) {
    capability.jobPath = (model, request) => {
      const plan = planAgain(wire, model, request);
      return plan && jobPath(plan);
    };
  }
  if (wire.find) capability.find = (...args) => find(connection, ...args);
  if (wire.cancellation) capability.cancel = (...args) => cancel(connection, ...args);
  return capability;
}

async function submit<R extends MediaRequest, P extends Review>(
  { account, context, wire, caller }: Connection<R, P>,
  ...[params, signal, observe]: Parameters<MediaCapability<R>['submit']>
): Promise<SubmitOutcome> {
  const { taskId } = params;
  let plan: P;
  let call: VendorCall;
  let data: Buffer | undefined;
  try {
    plan = wire.plan(params.model, params.request, () => undefined);
    call = await wire.submission(params, plan);
    data = jsonOf(call);
  } catch (error) {
    return unsent(context, taskId, error);
  }
  let response: UpstreamResponse;
  try {
    const timeoutMs = context.timeouts.submitMs;
    response = await caller.send(call, { taskId, baseUrl: account.base_url, timeoutMs, signal, observe }, data);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { failure, sent, message } = error;
    const details = { upstream: context.name, task: taskId, failure, sent, code: errorCode(error) };
    context.logger.warn(details, 'submission got no response');
    return sent === 'maybe' ? { kind: 'unknown', message } : { kind: 'busy', code: 'provider_error', message };
  } finally {
    closeFiles(call.form);
  }
  return wire.readSubmission(response, params, plan);
}

/** The outcome of a submission that failed before anything was sent. */
function unsent({ logger, name }: UpstreamContext, taskId: string, error: unknown): SubmitOutcome {
  if (error instanceof UnsupportedParamsError) {
    return {
      kind: 'rejected',
      code: 'invalid_request',
      message: `The model does not support the request: ${error.message}`,
    };
  }
  if (error instanceof GatewayError) return { kind: 'rejected', code: 'invalid_request', message: error.message };
  if (error instanceof ImageError) {
    // The client cannot fix this, so the task waits as for a busy upstream.
    logger.warn({ upstream: name, task: taskId, code: errorCode(error) }, 'image could not be read');
    return { kind: 'busy', code: 'provider_error', message: 'An input image could not be read' };
  }
  // A bug, which a retry would repeat.
  logger.warn({ upstream: name, task: taskId, err: error }, 'submission could not be built');
  return { kind: 'rejected', code: 'provider_error', message: 'The request could not be encoded for the upstream' };
}

async function poll<R extends MediaRequest, P extends Review>(
  { wire, caller }: Connection<R, P>,
  job: UpstreamJob,
  signal: AbortSignal,
  { look, observe }: { look?: (response: UpstreamResponse) => void; observe?: ObserveResponse | undefined },
): Promise<PollOutcome> {
  const call = wire.poll?.(job);
  const read = wire.readPoll?.bind(wire);
  if (!call || !read) return { kind: 'unclear', message: 'The upstream stores no job to poll' };
  const ask = caller.callFor(job, signal, observe);
  return caller.responseOr<PollOutcome>(
    job.taskId,
    'a poll',
    async () => {
      const response = await ask(call);
      look?.(response);
      return read(response, job, ask);
    },
    ({ message }) => ({ kind: 'unclear', message }),
  );
}

function openContent<R extends MediaRequest, P extends Review>(
  connection: Connection<R, P>,
  job: UpstreamJob,
  output: IndexedOutput,
  signal: AbortSignal,
) {
  const { context, wire, caller } = connection;
  const credential = wire.signsDownloads === true ? caller.signDownload : undefined;
  if (wire.openContent) {
    const access: ContentAccess = {
      ask: caller.callFor(job, signal),
      urlOf: (path) => urlBelow(job.baseUrl, path).href,
      open: downloadFor(context, job, credential, signal),
    };
    return openedOr(context, job, wire.openContent.bind(wire, job, access));
  }
  const renew = async () => {
    if (job.upstreamId === '') return output; // from a response that cannot be requested again
    let bytes: Uint8Array | undefined;
    const outcome = await poll(connection, job, signal, {
      look: (response) => (bytes = wire.inlineResult?.(response)),
    });
    if (outcome.kind === 'failed' && outcome.code === 'content_expired') return 'gone';
    const renewed = outcome.kind === 'succeeded' ? outcome.outputs?.[output.index] : undefined;
    return renewed && { ...renewed, ...(bytes && { bytes }) };
  };
  return openResult(context, job, output, { ...(credential && { credential }), renew }, signal);
}

async function find<R extends MediaRequest, P extends Review>(
  { account, accountId, wire, caller }: Connection<R, P>,
  ...[params, signal, observe]: Parameters<NonNullable<MediaCapability<R>['find']>>
): Promise<FindOutcome> {
  return caller.responseOr<FindOutcome>(
    params.taskId,
    'a look-up',
    async () => {
      const plan = planAgain(wire, params.model, params.request);
      const ask = caller.callFor({ taskId: params.taskId, baseUrl: account.base_url }, signal, observe);
      const found = plan && (await wire.find?.(params, ask, plan));
      if (!found) return { kind: 'unclear', message: 'The model no longer accepts the request' };
      const isSameAccount = params.lost?.account === undefined || params.lost.account === accountId;
      // Another account has no such job, which proves nothing about the original one.
      if (found.kind !== 'none' || isSameAccount) return found;
      return { kind: 'unclear', message: 'The job was submitted with another account' };
    },
    ({ message }) => ({ kind: 'unclear', message }),
  );
}

async function cancel<R extends MediaRequest, P extends Review>(
  { wire, caller }: Connection<R, P>,
  job: UpstreamJob,
  signal: AbortSignal,
  observe?: ObserveResponse,
): Promise<CancelOutcome> {
  return caller.responseOr<CancelOutcome>(
    job.taskId,
    'a cancellation',
    async () => {
      const ask = caller.callFor(job, signal, observe);
      const call = wire.cancellation?.call(job);
      const response = call && (await ask(call));
      return (response && wire.cancellation?.read(response, job, ask)) ?? { kind: 'unsupported' };
    },
    ({ message }) => ({ kind: 'unclear', message }),
  );
}

/** The plan of an earlier submission; undefined if the model no longer accepts the request. */
function planAgain<R extends MediaRequest, P extends Review>(wire: MediaWire<R, P>, model: string, request: R) {
  try {
    return wire.plan(model, request, () => undefined);
  } catch (error) {
    if (!(error instanceof UnsupportedParamsError)) throw error;
    return undefined;
  }
}
