import { GatewayError, invalidResponseMessage, UpstreamRefusalError } from '@sluice/canonical';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { refusalOf, type WireRefusal } from '../direct/refusal.ts';
import { bodyTimeoutMs } from '../http/body-timeout.ts';
import type { UpstreamBody, UpstreamResponse } from '../http/fetch-upstream.ts';
import { lowerCased } from '../http/http-headers.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { wireTools } from '../media/wire-tools.ts';
import { parseBaseUrl } from '../text/base-url.ts';

interface FileCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** The path at the account's origin, with its query. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: UpstreamBody;
  signal: AbortSignal;
}

/** Calls a vendor's API of files. @throws UpstreamRefusalError for an error status, UpstreamError without a response */
export type CallFiles = (call: FileCall) => Promise<UpstreamResponse>;

/** @param fixed headers of every call */
export function fileCaller(
  account: UpstreamAccount,
  context: Pick<UpstreamContext, 'fetchUpstream' | 'timeouts' | 'now'>,
  fixed: Readonly<Record<string, string>>,
  refusal: (response: UpstreamResponse) => WireRefusal,
): CallFiles {
  const { origin } = parseBaseUrl(account.base_url);
  const tools = wireTools(account, context);
  const own = lowerCased(account.headers ?? {});
  return async ({ method, path, headers, body, signal }) => {
    const response = await context.fetchUpstream({
      method,
      url: origin + path,
      ownHeaders: { ...fixed, ...headers, ...own },
      ...(body && { body }),
      timeoutMs: bodyTimeoutMs(context.timeouts.submitMs, body?.kind === 'stream' ? body.bytes : undefined),
      signal,
    });
    if (isSuccess(response.status)) return response;
    throw new UpstreamRefusalError(response.status, refusalOf(refusal(response), response, tools));
  };
}

export function misunderstood(): UpstreamRefusalError {
  return new UpstreamRefusalError(502, new GatewayError('provider_error', invalidResponseMessage()));
}

/** Whether the account should use the vendor's API of files. @param host of vendors that are known to have it */
export function storesFiles({ base_url: baseUrl, quirks }: UpstreamAccount, host: RegExp): boolean {
  return quirks?.files ?? host.test(new URL(baseUrl).hostname);
}
