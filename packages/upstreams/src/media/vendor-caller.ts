import type { ObserveResponse } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lowerCased, sendableHeaders, type SendableHeader } from '../http/http-headers.ts';
import { boundaryOf, multipartBody } from '../http/multipart-body.ts';
import { errorCode, UpstreamError } from '../http/upstream-error.ts';
import { parseBaseUrl, pathBelow } from '../text/base-url.ts';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import type { CallVendor, SignableCall, VendorCall } from './media-wire.ts';

interface CallSetting {
  taskId: string;
  baseUrl: string;
  traceHeaders?: Readonly<Record<string, string>> | undefined;
  timeoutMs: number;
  signal: AbortSignal;
  observe?: ObserveResponse | undefined;
}

interface Unclear {
  kind: 'unclear';
  message: string;
}

export type SignCall = (call: SignableCall) => Partial<Record<SendableHeader, string>>;

/** Sends an account's calls. The credential is sent only to the base URL's origin. */
export interface VendorCaller {
  /** Sends a call. If the vendor rejected the signature's timestamp, retries once, unless the body is a form. */
  send(call: VendorCall, at: CallSetting, data?: Buffer): Promise<UpstreamResponse>;
  callFor(task: Pick<CallSetting, 'taskId' | 'baseUrl'>, signal: AbortSignal, observe?: ObserveResponse): CallVendor;
  signDownload(this: void, url: URL): Record<string, string>;
  /** Runs `call`. If there is no response, logs it and returns `unclear`. */
  outcomeOf<T>(taskId: string, what: string, call: () => Promise<T>): Promise<T | Unclear>;
}

export function vendorCaller(
  account: UpstreamAccount,
  context: UpstreamContext,
  sign: SignCall,
  refusesSignatureTime: (response: UpstreamResponse) => boolean,
): VendorCaller {
  const home = new URL(account.base_url).origin;
  const { timeouts, logger, name } = context;

  async function sendOnce(call: VendorCall, data: Buffer | undefined, at: CallSetting): Promise<UpstreamResponse> {
    const url = urlBelow(at.baseUrl, call.path);
    const isHome = url.origin === home;
    const signed = { method: call.method, url, body: call.form ? undefined : (data ?? Buffer.alloc(0)) };
    const body = call.form
      ? multipartBody(call.form, boundaryOf(at.taskId))
      : data && ({ kind: 'bytes', contentType: 'application/json', data } as const);
    const response = await context.fetchUpstream({
      method: call.method,
      url,
      headers: { ...call.headers, ...(isHome && sign(signed)) },
      ownHeaders: isHome ? { ...at.traceHeaders, ...account.headers } : undefined,
      body,
      taskId: at.taskId,
      timeoutMs: call.timeoutMs ?? at.timeoutMs,
      maxResponseBytes: call.maxResponseBytes,
      signal: at.signal,
    });
    at.observe?.({ httpStatus: response.status });
    return response;
  }

  async function send(call: VendorCall, at: CallSetting, data = jsonOf(call)): Promise<UpstreamResponse> {
    const response = await sendOnce(call, data, at);
    return call.form !== undefined || !refusesSignatureTime(response) ? response : sendOnce(call, data, at);
  }

  return {
    send,
    callFor:
      ({ taskId, baseUrl }, signal, observe) =>
      (call) =>
        send(call, { taskId, baseUrl, timeoutMs: timeouts.pollMs, signal, observe }),
    signDownload: (url) =>
      url.origin === home
        ? {
            ...sendableHeaders(sign({ method: 'GET', url, body: Buffer.alloc(0) })),
            ...lowerCased(account.headers ?? {}),
          }
        : {},
    async outcomeOf(taskId, what, call) {
      try {
        return await call();
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        const { failure, sent, message } = error;
        const details = { upstream: name, task: taskId, failure, sent, code: errorCode(error) };
        logger.debug(details, `${what} got no response`);
        return { kind: 'unclear', message };
      }
    },
  };
}

export function jsonOf({ json }: VendorCall): Buffer | undefined {
  return json === undefined ? undefined : Buffer.from(JSON.stringify(json));
}

export function urlBelow(baseUrl: string, path: string): URL {
  const base = parseBaseUrl(baseUrl);
  return new URL(base.origin + pathBelow(base, path));
}
