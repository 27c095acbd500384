import {
  type CancelOutcome,
  type FindOutcome,
  GatewayError,
  type MediaCapability,
  type MediaRequest,
  type MediaSubmission,
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
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { accountIdOf } from './account-id.ts';
import { cancelJob } from './cancel-job.ts';
import { closeFiles } from './form-files.ts';
import type { CallVendor, ContentAccess, MediaWire, VendorCall } from './media-wire.ts';
import { downloadFor, openedOr, openResult } from './open-result.ts';
import { ImageError } from './plan/image-bytes.ts';
import { limitImageFiles } from './plan/limit-params.ts';
import { jsonOf, type SignCall, urlBelow, type VendorCaller, vendorCaller } from './vendor-caller.ts';
import { type WireTools, wireTools } from './wire-tools.ts';

interface Connection<R extends MediaRequest, P extends Review> {
  account: UpstreamAccount;
  accountId: string;
  context: UpstreamContext;
  wire: MediaWire<R, P>;
  caller: VendorCaller;
  tools: WireTools;
}

/**
 * Creates a capability from a vendor's wire format. It signs and sends calls and maps network failures to outcomes.
 *
 * A submission is one POST. It is repeated only if the vendor rejected the timestamp of its signature. All calls for a
 * job go to the base URL that accepted the job. If the account's origin has changed since then, its credential is not
 * sent to the old origin.
 */
export function createMediaUpstream<R extends MediaRequest, P extends Review>(
  account: UpstreamAccount,
  context: UpstreamContext,
  sign: SignCall,
  wire: MediaWire<R, P>,
): MediaCapability<R> {
  const caller = vendorCaller(account, context, sign, (response) => wire.refusesSignatureTime?.(response) === true);
  const accountId = accountIdOf(account);
  const connection = { account, accountId, context, wire, caller, tools: wireTools(account, context) };
  return {
    baseUrl: account.base_url.replace(/\/+$/, ''),
    account: accountId,
    review: (model, request, report) => {
      const { seconds } = wire.plan(model, request, report);
      return seconds === undefined ? {} : { seconds };
    },
    submit: (...args) => submit(connection, ...args),
    poll: (job, signal, observe) => poll(connection, job, caller.callFor(job, signal, observe)),
    openContent: (...args) => openContent(connection, ...args),
    ...(wire.jobPath && {
      jobPath: (model, request) => {
        const plan = planAgain(wire, model, request);
        return plan && wire.jobPath?.(plan);
      },
    }),
    ...(wire.find && { find: (...args) => find(connection, ...args) }),
    ...(wire.cancellation && { cancel: (...args) => cancel(connection, ...args) }),
  };
}

async function submit<R extends MediaRequest, P extends Review>(
  { account, context, wire, caller, tools }: Connection<R, P>,
  params: MediaSubmission<R>,
  signal: AbortSignal,
  observe?: ObserveResponse,
): Promise<SubmitOutcome> {
  const { taskId, traceHeaders } = params;
  let plan: P;
  let call: VendorCall;
  let data: Buffer | undefined;
  try {
    plan = wire.plan(params.model, params.request, () => undefined);
    const { imageFiles = {} } = wire;
    limitImageFiles(params.images, typeof imageFiles === 'function' ? imageFiles(plan) : imageFiles);
    call = await wire.submission(params, plan, tools);
    data = jsonOf(call);
  } catch (error) {
    return unsent(context, taskId, error);
  }
  let response: UpstreamResponse;
  try {
    const timeoutMs = context.timeouts.submitMs;
    response = await caller.send(
      call,
      { taskId, baseUrl: account.base_url, traceHeaders, timeoutMs, signal, observe },
      data,
    );
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { failure, sent, message } = error;
    const details = { upstream: context.name, task: taskId, failure, sent, code: errorCode(error) };
    context.logger.warn(details, 'submission got no response');
    return sent === 'maybe' ? { kind: 'unknown', message } : { kind: 'busy', code: 'provider_error', message };
  } finally {
    closeFiles(call.form);
  }
  return wire.readSubmission(response, plan, tools);
}

function unsent({ logger, name }: UpstreamContext, taskId: string, error: unknown): SubmitOutcome {
  if (error instanceof UnsupportedParamsError) {
    const message = `The model does not support the request: ${error.message}.`;
    return { kind: 'rejected', code: 'invalid_request', message };
  }
  if (error instanceof GatewayError) return { kind: 'rejected', code: 'invalid_request', message: error.message };
  if (error instanceof ImageError) {
    // The client cannot fix this, so the task waits as if the upstream were busy.
    logger.warn({ upstream: name, task: taskId, code: errorCode(error) }, 'image could not be read');
    return { kind: 'busy', code: 'provider_error', message: 'An input image could not be read.' };
  }
  logger.warn({ upstream: name, task: taskId, err: error }, 'submission could not be built');
  return { kind: 'rejected', code: 'provider_error', message: 'The request could not be encoded for the upstream.' };
}

async function poll<R extends MediaRequest, P extends Review>(
  { wire, caller, tools }: Connection<R, P>,
  job: UpstreamJob,
  send: CallVendor,
  onResponse?: (response: UpstreamResponse) => void,
): Promise<PollOutcome> {
  const call = wire.poll?.(job);
  if (!call || !wire.readPoll) return { kind: 'unclear', message: 'The upstream stores no job to poll.' };
  return caller.outcomeOf<PollOutcome>(job.taskId, 'a poll', async () => {
    const response = await send(call);
    onResponse?.(response);
    return wire.readPoll?.(response, job, tools, send) ?? tools.noState(response);
  });
}

function openContent<R extends MediaRequest, P extends Review>(
  connection: Connection<R, P>,
  job: UpstreamJob,
  output: IndexedOutput,
  signal: AbortSignal,
) {
  const { context, wire, caller, tools } = connection;
  const credential = wire.signsDownloads ? caller.signDownload : undefined;
  const send = caller.callFor(job, signal);
  if (wire.openContent) {
    const urlOf = (path: string) => urlBelow(job.baseUrl, path).href;
    const access: ContentAccess = { send, urlOf, open: downloadFor(context, job, credential, signal) };
    return openedOr(context, job, wire.openContent.bind(wire, job, access, tools));
  }
  const renew = async () => {
    if (job.upstreamId === '') return output; // The output was in a response that cannot be requested again.
    let bytes: Uint8Array | undefined;
    const outcome = await poll(connection, job, send, (response) => (bytes = wire.inlineResult?.(response)));
    if (outcome.kind === 'failed' && outcome.code === 'content_expired') return 'gone';
    const renewed = outcome.kind === 'succeeded' ? outcome.outputs?.[output.index] : undefined;
    return renewed && { ...renewed, bytes };
  };
  return openResult(context, job, output, { credential, renew }, signal);
}

async function find<R extends MediaRequest, P extends Review>(
  { account, accountId, wire, caller, tools }: Connection<R, P>,
  params: MediaSubmission<R>,
  signal: AbortSignal,
  observe?: ObserveResponse,
): Promise<FindOutcome> {
  const { taskId, lost } = params;
  return caller.outcomeOf<FindOutcome>(taskId, 'a lookup', async () => {
    const plan = planAgain(wire, params.model, params.request);
    const send = caller.callFor({ taskId, baseUrl: account.base_url }, signal, observe);
    const outcome = plan && (await wire.find?.(params, send, plan, tools));
    if (!outcome) return { kind: 'unclear', message: 'The model no longer accepts the request.' };
    // Another account cannot see the job, so its empty lookup proves nothing.
    if (outcome.kind === 'none' && (lost?.account ?? accountId) !== accountId) {
      return { kind: 'unclear', message: 'The job was submitted with another account.' };
    }
    return outcome;
  });
}

async function cancel<R extends MediaRequest, P extends Review>(
  { wire, caller, tools }: Connection<R, P>,
  job: UpstreamJob,
  signal: AbortSignal,
  observe?: ObserveResponse,
): Promise<CancelOutcome> {
  const { cancellation } = wire;
  if (!cancellation) return { kind: 'unsupported' };
  const send = caller.callFor(job, signal, observe);
  const poller = {
    call: wire.poll?.(job),
    read: (response: UpstreamResponse) => wire.readPoll?.(response, job, tools, send) ?? tools.noState(response),
  };
  return caller.outcomeOf<CancelOutcome>(job.taskId, 'a cancellation', () =>
    cancelJob(cancellation, job, poller, tools, send),
  );
}

function planAgain<R extends MediaRequest, P extends Review>(wire: MediaWire<R, P>, model: string, request: R) {
  try {
    return wire.plan(model, request, () => undefined);
  } catch (error) {
    if (!(error instanceof UnsupportedParamsError)) throw error;
    return undefined;
  }
}
