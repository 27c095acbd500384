import type {
  ClientHeaders,
  LostVendorBatch,
  VendorBatchCapability,
  VendorBatchEnd,
  VendorLookup,
  VendorResult,
} from '@sluice/canonical';
import { z } from 'zod';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { type BatchCaller, createBatchCaller } from './batch-caller.ts';
import { firstLine } from './first-line.ts';

const PATH = '/v1/messages/batches';
const PAGE = 100;
/** A list has the newest batches first. */
const MAX_PAGES = 10;
/** How far the vendor's clock may lag, in milliseconds. */
const SKEW_MS = 30_000;
const MAX_LINE = 1024 * 1024;

const BatchSchema = z.object({
  id: z.string().min(1),
  processing_status: z.string(),
  cancel_initiated_at: z.string().nullish(),
  created_at: z.string(),
  request_counts: z.record(z.string(), z.number()),
});
const PageSchema = z.object({
  data: z.array(BatchSchema),
  has_more: z.boolean().nullish(),
  last_id: z.string().nullish(),
});
const ResultSchema = z.object({
  custom_id: z.string(),
  result: z.object({ type: z.string(), message: z.unknown().optional(), error: z.unknown().optional() }),
});
const ErrorSchema = z.object({ error: z.object({ type: z.string() }) });

type Listed = z.output<typeof BatchSchema>;

/**
 * Batches of Anthropic. They have no metadata. So a lost batch is found only when it has ended: its results have the keys
 * of the requests.
 * @param headersOf selects the headers that the vendor needs
 */
export function messageBatches(
  account: UpstreamAccount,
  context: UpstreamContext,
  headersOf: (headers: ClientHeaders) => Record<string, string>,
): VendorBatchCapability {
  const { api_key: key } = account;
  const base = account.base_url.replace(/\/v1\/?$/, '');
  const own = { ...account, base_url: base, headers: { ...headersOf({}), ...account.headers } };
  const caller = createBatchCaller(own, context, () => (key === undefined ? {} : { 'x-api-key': key }));
  /** The batches of requests of ended batches at the vendor, so that each is read once. */
  const prefixes = new Map<string, string>();

  async function prefixOf(id: string, signal: AbortSignal): Promise<string> {
    const known = prefixes.get(id);
    if (known !== undefined) return known;
    const results = (await caller.open(`${pathOf(id)}/results`, signal)) as AsyncIterable<Uint8Array>; // It yields bytes.
    const [, prefix = ''] = /"custom_id"\s*:\s*"([^"-]+)-/.exec(await firstLine(results, MAX_LINE)) ?? [];
    if (prefixes.size >= MAX_PAGES * PAGE) prefixes.clear();
    prefixes.set(id, prefix);
    return prefix;
  }

  return {
    // https://docs.claude.com/en/docs/build-with-claude/batch-processing#batch-limitations
    maxRequests: 100_000,
    maxBytes: 256 * 1024 * 1024,
    framing: ['{"requests":[', ',', ']}'],
    encode: (custom, request) => `{"custom_id":${JSON.stringify(custom)},"params":${request}}`,
    submit({ batchId, content, headers }, signal) {
      const { bytes } = content;
      const source = content.read();
      const body = { kind: 'stream', contentType: 'application/json', bytes, source } as const;
      const call = () => caller.post({ path: PATH, body, headers: headersOf(headers) }, batchId, signal);
      return caller.submit(call, (created) => {
        const { data } = BatchSchema.pick({ id: true }).safeParse(created);
        return data && ({ kind: 'accepted', id: data.id } as const);
      });
    },
    find: (lost, signal) => findBatch(caller, lost, prefixOf, signal),
    async poll(id, signal) {
      const { status, body } = await caller.send({ method: 'GET', path: pathOf(id) }, id, signal);
      const { data } = BatchSchema.safeParse(body);
      if (status !== 200 || !data) return { kind: 'unclear', reason: `HTTP ${status}` };
      if (data.processing_status !== 'ended') return { kind: 'running' };
      return { kind: 'ended', end: endOf(data), sources: [id] };
    },
    cancel: (id, signal) => caller.cancel(`${pathOf(id)}/cancel`, id, signal),
    openResults: (id, signal) => caller.open(`${pathOf(id)}/results`, signal),
    readResult(line) {
      const { data } = ResultSchema.safeParse(line);
      return data && resultOf(data);
    },
  };
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

/** A batch ends with requests that were not run if it was canceled, or if its 24 hours were over. */
function endOf({ cancel_initiated_at: isCanceled, request_counts: counts }: Listed): VendorBatchEnd {
  if (isCanceled) return 'cancelled';
  return (counts['expired'] ?? 0) > 0 ? 'expired' : 'completed';
}

/** The statuses of errors by their types. https://docs.claude.com/en/api/errors */
const STATUSES: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
};

function resultOf({ custom_id: key, result }: z.output<typeof ResultSchema>): VendorResult {
  switch (result.type) {
    case 'succeeded':
      return { key, status: 200, body: result.message };
    case 'expired':
      return { key, code: 'batch_expired' };
    case 'canceled':
      return { key, code: 'batch_cancelled' };
    default: {
      const { data } = ErrorSchema.safeParse(result.error);
      return data
        ? { key, status: STATUSES[data.error.type] ?? 500, body: result.error }
        : { key, code: 'request_failed' };
    }
  }
}

/** A batch is certainly missing only if all batches since the submission have ended, so that each can be identified. */
async function findBatch(
  caller: BatchCaller,
  { batchId, submittedAt }: LostVendorBatch,
  prefixOf: (id: string, signal: AbortSignal) => Promise<string>,
  signal: AbortSignal,
): Promise<VendorLookup> {
  const digits = batchId.slice('batch_'.length);
  let after = '';
  let isRunning = false;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const { status, body } = await caller.send(
      { method: 'GET', path: `${PATH}?limit=${PAGE}${after}` },
      batchId,
      signal,
    );
    const { data } = PageSchema.safeParse(body);
    if (status !== 200 || !data) return { kind: 'unclear', reason: `HTTP ${status}` };
    const recent = data.data.filter(({ created_at: at }) => Date.parse(at) >= submittedAt - SKEW_MS);
    for (const { id, processing_status: state } of recent) {
      if (state !== 'ended') isRunning = true;
      else if ((await prefixOf(id, signal)) === digits) return { kind: 'found', id };
    }
    if (!data.has_more || !data.last_id || recent.length < data.data.length) {
      return isRunning ? { kind: 'unclear', reason: 'a batch that runs has no results yet' } : { kind: 'missing' };
    }
    after = `&after_id=${encodeURIComponent(data.last_id)}`;
  }
  return { kind: 'unclear', reason: 'the list is too long' };
}
