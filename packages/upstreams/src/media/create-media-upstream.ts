import {
  type CancelOutcome,
  type FindOutcome,
  GatewayError,
  type ObserveResponse,
  type MediaCapability,
  type MediaRequest,
  type PollOutcome,
  type Review,
  type SubmitOutcome,
  UnsupportedParamsError,
  type UpstreamJob,
} from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lowerCased, sendableHeaders, type SendableHeader } from '../http/http-headers.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { boundaryOf, multipartBody } from '../http/multipart-body.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';
import { accountIdOf } from './account-id.ts';
import { closeFiles } from './form-files.ts';
import type { CallVendor, ContentAccess, MediaWire, SignableCall, VendorCall } from './media-wire.ts';
import { downloadFor, openedOr, openResult, type ResultAccess } from './open-result.ts';
import { ImageError } from './image-bytes.ts';

/** For whom a call is made, where to, and how long it may take. */
interface CallSetting {
  taskId: string;
  baseUrl: string;
  timeoutMs: number;
  signal: AbortSignal;
  observe?: ObserveResponse;
}

/** Says who is asking: the headers that a call is signed with. */
export type SignCall = (call: SignableCall) => Partial<Record<SendableHeader, string>>;

/**
 * Makes a capability of a vendor's wire: sends its calls, signed, and turns whatever the network does into an outcome.
 *
 * A submission is one POST; only one that was refused for the time of its signature is sent again. A job stays with the
 * base URL that accepted it; where the account's name now means another origin, its credential is none of that vendor's
 * business and is left out.
 */
export function createMediaUpstream<R extends MediaRequest, P extends Review>(
  account: UpstreamAccount,
  context: UpstreamContext,
  sign: SignCall,
  wire: MediaWire<R, P>,
): MediaCapability<R> {
  const home = new URL(account.base_url).origin;
  const { timeouts, logger, name } = context;

  /** Sends a call; once more when it was refused for nothing but the time of its signature. A form is read only once. */
  async function send(call: VendorCall, at: CallSetting, data = jsonOf(call)): Promise<UpstreamResponse> {
    const response = await sendOnce(call, data, at);
    if (call.form !== undefined || wire.refusesSignatureTime?.(response) !== true) return response;
    return sendOnce(call, data, at);
  }

  async function sendOnce(call: VendorCall, data: Buffer | undefined, at: CallSetting): Promise<UpstreamResponse> {
    const url = urlBelow(at.baseUrl, call.path);
    const isHome = url.origin === home;
    const credential = isHome
      ? sign({ method: call.method, url, ...(call.form ? {} : { body: data ?? Buffer.alloc(0) }) })
      : {};
    const body = call.form
      ? multipartBody(call.form, boundaryOf(at.taskId))
      : data && ({ kind: 'bytes', contentType: 'application/json', data } as const);
    const response = await context.fetchUpstream({
      method: call.method,
      url: url.href,
      headers: { ...call.headers, ...credential },
      ...(isHome && account.headers && { ownHeaders: account.headers }),
      ...(body && { body }),
      taskId: at.taskId,
      timeoutMs: call.timeoutMs ?? at.timeoutMs,
      ...(call.maxResponseBytes !== undefined && { maxResponseBytes: call.maxResponseBytes }),
      signal: at.signal,
    });
    at.observe?.({ httpStatus: response.status });
    return response;
  }
  const signDownload = (url: URL): Record<string, string> =>
    url.origin === home
      ? {
          ...sendableHeaders(sign({ method: 'GET', url, body: Buffer.alloc(0) })),
          ...lowerCased(account.headers ?? {}),
        }
      : {};
  const asker =
    (
      { taskId, baseUrl }: { taskId: string; baseUrl: string },
      signal: AbortSignal,
      observe?: ObserveResponse,
    ): CallVendor =>
    (call) =>
      send(call, { taskId, baseUrl, timeoutMs: timeouts.pollMs, signal, ...(observe && { observe }) });

  /** Carries a call out; when no answer comes, says so in the log and gives what that means. */
  async function answered<T>(taskId: string, what: string, ask: () => Promise<T>, none: (error: UpstreamError) => T) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      const { failure, sent } = error;
      logger.debug({ upstream: name, task: taskId, failure, sent, code: errorCode(error) }, `${what} got no answer`);
      return none(error);
    }
  }

  /** What it means that a submission could not be made, of which nothing has been sent. */
  function unsent(taskId: string, error: unknown): SubmitOutcome {
    if (error instanceof UnsupportedParamsError) {
      return { kind: 'rejected', code: 'invalid_request', message: `The model cannot do it: ${error.message}` };
    }
    if (error instanceof GatewayError) return { kind: 'rejected', code: 'invalid_request', message: error.message };
    if (error instanceof ImageError) {
      // Ours to mend, not the client's: the task waits as it does for an upstream that is busy.
      logger.warn({ upstream: name, task: taskId, code: errorCode(error) }, 'a picture could not be read');
      return { kind: 'busy', code: 'provider_error', message: 'The picture to be sent could not be read' };
    }
    // A mistake of ours, which another try would only make again.
    logger.warn({ upstream: name, task: taskId, err: error }, 'a submission could not be made');
    return { kind: 'rejected', code: 'provider_error', message: 'The request could not be written for the upstream' };
  }

  async function poll(
    job: UpstreamJob,
    signal: AbortSignal,
    { look, observe }: { look?: (response: UpstreamResponse) => void; observe?: ObserveResponse } = {},
  ): Promise<PollOutcome> {
    const call = wire.poll?.(job);
    const read = wire.readPoll?.bind(wire);
    if (!call || !read) return { kind: 'unclear', message: 'The upstream keeps nothing that could be asked for' };
    const ask = asker(job, signal, observe);
    return answered<PollOutcome>(
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

  /** The plan of a wish that was submitted before; undefined when the model no longer takes it. */
  function planAgain(model: string, request: R): P | undefined {
    try {
      return wire.plan(model, request, () => undefined);
    } catch (error) {
      if (!(error instanceof UnsupportedParamsError)) throw error;
      return undefined;
    }
  }

  const accountId = accountIdOf(account);
  const capability: MediaCapability<R> = {
    baseUrl: account.base_url.replace(/\/+$/, ''),
    account: accountId,

    review: (model, request, report) => {
      const { seconds } = wire.plan(model, request, report);
      return seconds === undefined ? {} : { seconds };
    },

    async submit(params, signal, observe) {
      const { taskId } = params;
      let plan: P;
      let call: VendorCall;
      let data: Buffer | undefined;
      try {
        plan = wire.plan(params.model, params.request, () => undefined);
        call = await wire.submission(params, plan);
        data = jsonOf(call);
      } catch (error) {
        return unsent(taskId, error);
      }
      let response: UpstreamResponse;
      try {
        const at = { taskId, baseUrl: account.base_url, timeoutMs: timeouts.submitMs, signal };
        response = await send(call, { ...at, ...(observe && { observe }) }, data);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const { failure, sent, message } = error;
        const details = { upstream: name, task: taskId, failure, sent, code: errorCode(error) };
        logger.warn(details, 'a submission got no answer');
        return sent === 'maybe' ? { kind: 'unknown', message } : { kind: 'busy', code: 'provider_error', message };
      } finally {
        closeFiles(call.form);
      }
      return wire.readSubmission(response, params, plan);
    },

    poll: (job, signal, observe) => poll(job, signal, { ...(observe && { observe }) }),

    openContent: (job, output, signal) => {
      const credential = wire.signsDownloads === true ? signDownload : undefined;
      if (wire.openContent) {
        const access: ContentAccess = {
          ask: asker(job, signal),
          urlOf: (path) => urlBelow(job.baseUrl, path).href,
          open: downloadFor(context, job, credential, signal),
        };
        const opened = wire.openContent.bind(wire, job, access);
        return openedOr(context, job, opened);
      }
      const renew: ResultAccess['renew'] = async () => {
        if (job.upstreamId === '') return output; // made in an answer that cannot be asked for again
        let bytes: Uint8Array | undefined;
        const outcome = await poll(job, signal, { look: (response) => (bytes = wire.inlineResult?.(response)) });
        if (outcome.kind === 'failed' && outcome.code === 'content_expired') return 'gone';
        const told = outcome.kind === 'succeeded' ? outcome.outputs?.[output.index] : undefined;
        return told && { ...told, ...(bytes && { bytes }) };
      };
      return openResult(context, job, output, { ...(credential && { credential }), renew }, signal);
    },
  };

  const jobPath = wire.jobPath?.bind(wire);
  if (jobPath) {
    capability.jobPath = (model, request) => {
      const plan = planAgain(model, request);
      return plan && jobPath(plan);
    };
  }
  const find = wire.find?.bind(wire);
  if (find) {
    capability.find = (params, signal, observe) =>
      answered<FindOutcome>(
        params.taskId,
        'a look-up',
        async () => {
          const plan = planAgain(params.model, params.request);
          if (!plan) return { kind: 'unclear', message: 'The model no longer takes what was asked for' };
          const found = await find(
            params,
            asker({ taskId: params.taskId, baseUrl: account.base_url }, signal, observe),
            plan,
          );
          const isSameAccount = params.lost?.account === undefined || params.lost.account === accountId;
          // Another account surely has none: that says nothing of the one that was asked.
          if (found.kind !== 'none' || isSameAccount) return found;
          return { kind: 'unclear', message: 'The account is not the one that was asked' };
        },
        ({ message }) => ({ kind: 'unclear', message }),
      );
  }
  const { cancellation } = wire;
  if (cancellation) {
    capability.cancel = (job, signal, observe) =>
      answered<CancelOutcome>(
        job.taskId,
        'a cancellation',
        async () => {
          const ask = asker(job, signal, observe);
          const call = cancellation.call(job);
          return call ? cancellation.read(await ask(call), job, ask) : { kind: 'unsupported' };
        },
        ({ message }) => ({ kind: 'unclear', message }),
      );
  }
  return capability;
}

/** The bytes of a call's JSON. @throws {RangeError} when they are more than fit into a string */
function jsonOf({ json }: VendorCall): Buffer | undefined {
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json));
}

function urlBelow(baseUrl: string, path: string): URL {
  const base = parseBaseUrl(baseUrl);
  return new URL(base.origin + pathBelow(base, path));
}
