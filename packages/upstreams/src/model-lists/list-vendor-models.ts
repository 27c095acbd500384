import { GatewayError, signalWithin } from '@sluice/canonical';
import { DownloadError } from '../http/guarded/download-error.ts';
import type { Download, Downloaded } from '../http/guarded/download.ts';
import { readResponse } from '../http/read-response.ts';
import { discard } from '../http/send-request.ts';
import { MODEL_LIST_CALLS } from './model-list-calls.ts';

/** An account at a vendor, before it is in the configuration. */
interface VendorAccount {
  kind: string;
  base_url: string;
  api_key: string;
}

/**
 * Lists the models that a key of a vendor may use. The key is sent only to the base URL, and is not stored or logged.
 * @returns model ids, sorted
 * @throws GatewayError `invalid_request` if the kind has no list or the vendor refuses the key; `provider_error`
 */
export type ListVendorModels = (this: void, account: VendorAccount, signal: AbortSignal) => Promise<string[]>;

const MAX_LIST_BYTES = 8 * 1024 * 1024;
const TIMEOUT_MS = 20_000;
/** Google returns 400 for an invalid key. */
const REFUSED_KEY = new Set([400, 401, 403]);

export function canListModels(kind: string): boolean {
  return kind in MODEL_LIST_CALLS;
}

/** @param download the guarded download, so that only public addresses and configured upstreams are called */
export function createModelLister(download: Download): ListVendorModels {
  return async ({ kind, base_url: baseUrl, api_key: apiKey }, signal) => {
    const call = MODEL_LIST_CALLS[kind];
    if (!call) throw new GatewayError('invalid_request', `Vendors of the kind \`${kind}\` have no list of models.`);
    using time = signalWithin(signal, TIMEOUT_MS);
    try {
      const credentials = call.headers(apiKey);
      const reply = await download(listUrl(baseUrl, call), { credentials, signal: time.signal });
      const models = reply.status === 200 ? call.read(await readResponse(reply.body, MAX_LIST_BYTES)) : undefined;
      if (models) return models.toSorted();
      throw refusal(reply);
    } catch (error) {
      if (error instanceof GatewayError) throw error;
      throw new GatewayError('provider_error', messageOf(error), { cause: error });
    }
  };
}

function listUrl(baseUrl: string, { path, query = {} }: { path: string; query?: Readonly<Record<string, string>> }) {
  const url = new URL(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  return url.href;
}

function refusal({ status, body }: Downloaded): GatewayError {
  discard(body);
  if (REFUSED_KEY.has(status)) {
    const message = `The vendor refused the key (HTTP ${status}). Check that the key is complete, active, and of this vendor.`;
    return new GatewayError('invalid_request', message, { param: 'api_key' });
  }
  const problem = status === 200 ? 'returned no list of models' : `returned HTTP ${status} instead of its models`;
  return new GatewayError('provider_error', `The vendor ${problem}. Retry later.`);
}

function messageOf(error: unknown): string {
  if (error instanceof DownloadError && error.failure === 'network') {
    return 'The vendor cannot be reached. Check the network of the gateway.';
  }
  if (error instanceof DownloadError && error.failure === 'forbidden_address') {
    return "The vendor's host does not resolve to a public address. Check the DNS of the gateway.";
  }
  return 'The vendor returned an invalid response, or none in time. Retry later.';
}
