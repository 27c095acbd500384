import {
  type CancelOutcome,
  type FindOutcome,
  GatewayError,
  type HearAnswer,
  type MediaCapability,
  type MediaRequest,
  type PollOutcome,
  type Review,
  type SubmitOutcome,
  UnsupportedWishError,
  type UpstreamJob,
} from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { lowerCased, sendableHeaders, type SendableHeader } from '../http/http-headers.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import { boundaryOf, multipartBody } from '../http/multipart-body.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import type { UpstreamAccount, UpstreamContext } from '../upstream.ts';
import { accountIdOf } from './account-id.ts';
import { closeFiles } from './form-files.ts';
import type { AskVendor, ContentAccess, MediaWire, SignableCall, VendorCall } from './media-wire.ts';
import { downloadFor, openedOr, openResult, type ResultAccess } from './open-result.ts';
import { PictureError } from './picture-bytes.ts';

/** For whom a call is made, where to, and how long it may take. */
interface CallSetting {
  taskId: string;
  baseUrl: string;
  timeoutMs: number;
  signal: AbortSignal;
  hear?: HearAnswer;
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
  async function send(call: VendorCall, at: CallSetting, data = jsonOf(call)): Promise<UpstreamAnswer> {
    const answer = await sendOnce(call, data, at);
    if (call.form !== undefined || wire.refusesSignatureTime?.(answer) !== true) return answer;
    return sendOnce(call, data, at);
  }

  async function sendOnce(call: VendorCall, data: Buffer | undefined, at: CallSetting): Promise<UpstreamAnswer> {
    const url = urlBelow(at.baseUrl, call.path);
    const isHome = url.origin === home;
    const credential = isHome
      ? sign({ method: call.method, url, ...(call.form ? {} : { body: data ?? Buffer.alloc(0) }) })
      : {};
    const body = call.form
      ? multipartBody(call.form, boundaryOf(at.taskId))
      : data && ({ kind: 'bytes', contentType: 'application/json', data } as const);
    const answer = await context.fetchUpstream({
      method: call.method,
      url: url.href,
      headers: { ...call.headers, ...credential },
      ...(isHome && account.headers && { ownHeaders: account.headers }),
      ...(body && { body }),
      taskId: at.taskId,
      timeoutMs: call.timeoutMs ?? at.timeoutMs,
      ...(call.maxAnswerBytes !== undefined && { maxAnswerBytes: call.maxAnswerBytes }),
      signal: at.signal,
    });
    at.hear?.({ httpStatus: answer.status });
    return answer;
  }
  const signDownload = (url: URL): Record<string, string> =>
    url.origin === home
      ? {
          ...sendableHeaders(sign({ method: 'GET', url, body: Buffer.alloc(0) })),
          ...lowerCased(account.headers ?? {}),
        }
      : {};
  const asker =
    ({ taskId, baseUrl }: { taskId: string; baseUrl: string }, signal: AbortSignal, hear?: HearAnswer): AskVendor =>
    (call) =>
      send(call, { taskId, baseUrl, timeoutMs: timeouts.pollMs, signal, ...(hear && { hear }) });

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
    if (error instanceof UnsupportedWishError) {
      return { kind: 'rejected', code: 'invalid_request', message: `The model cannot do it: ${error.message}` };
    }
    if (error instanceof GatewayError) return { kind: 'rejected', code: 'invalid_request', message: error.message };
    if (error instanceof PictureError) {
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
    { look, hear }: { look?: (answer: UpstreamAnswer) => void; hear?: HearAnswer } = {},
  ): Promise<PollOutcome> {
    const call = wire.poll?.(job);
    const read = wire.readPoll?.bind(wire);
    if (!call || !read) return { kind: 'unclear', message: 'The upstream keeps nothing that could be asked for' };
    const ask = asker(job, signal, hear);
    return answered<PollOutcome>(
      job.taskId,
      'a poll',
      async () => {
        const answer = await ask(call);
        look?.(answer);
        return read(answer, job, ask);
      },
      ({ message }) => ({ kind: 'unclear', message }),
    );
  }

  /** The plan of a wish that was submitted before; undefined when the model no longer takes it. */
  function planAgain(model: string, request: R): P | undefined {
    try {
      return wire.plan(model, request, () => undefined);
    } catch (error) {
      if (!(error instanceof UnsupportedWishError)) throw error;
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

    async submit(wish, signal, hear) {
      const { taskId } = wish;
      let plan: P;
      let call: VendorCall;
      let data: Buffer | undefined;
      try {
        plan = wire.plan(wish.model, wish.request, () => undefined);
        call = await wire.submission(wish, plan);
        data = jsonOf(call);
      } catch (error) {
        return unsent(taskId, error);
      }
      let answer: UpstreamAnswer;
      try {
        const at = { taskId, baseUrl: account.base_url, timeoutMs: timeouts.submitMs, signal };
        answer = await send(call, { ...at, ...(hear && { hear }) }, data);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const { failure, sent, message } = error;
        const details = { upstream: name, task: taskId, failure, sent, code: errorCode(error) };
        logger.warn(details, 'a submission got no answer');
        return sent === 'maybe' ? { kind: 'unknown', message } : { kind: 'busy', code: 'provider_error', message };
      } finally {
        closeFiles(call.form);
      }
      return wire.readSubmission(answer, wish, plan);
    },

    poll: (job, signal, hear) => poll(job, signal, { ...(hear && { hear }) }),

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
        const outcome = await poll(job, signal, { look: (answer) => (bytes = wire.inlineResult?.(answer)) });
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
    capability.find = (wish, signal, hear) =>
      answered<FindOutcome>(
        wish.taskId,
        'a look-up',
        async () => {
          const plan = planAgain(wish.model, wish.request);
          if (!plan) return { kind: 'unclear', message: 'The model no longer takes what was asked for' };
          const found = await find(wish, asker({ taskId: wish.taskId, baseUrl: account.base_url }, signal, hear), plan);
          const isSameAccount = wish.lost?.account === undefined || wish.lost.account === accountId;
          // Another account surely has none: that says nothing of the one that was asked.
          if (found.kind !== 'none' || isSameAccount) return found;
          return { kind: 'unclear', message: 'The account is not the one that was asked' };
        },
        ({ message }) => ({ kind: 'unclear', message }),
      );
  }
  const { cancellation } = wire;
  if (cancellation) {
    capability.cancel = (job, signal, hear) =>
      answered<CancelOutcome>(
        job.taskId,
        'a cancellation',
        async () => {
          const ask = asker(job, signal, hear);
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
