import type { VendorBatchCapability, VendorPoll, VendorResult } from '@sluice/canonical';
import { z } from 'zod';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { lookupOf } from './lookup-of.ts';
import { findInList } from '../media/find-in-list.ts';
import { versioned } from '../media/google-base.ts';
import { parseBaseUrl } from '../text/base-url.ts';
import { type BatchCaller, createBatchCaller } from './batch-caller.ts';

const PAGE = 100;
const NAME = 'batches/';

const UploadedSchema = z.object({ file: z.object({ name: z.string().min(1) }) });
const OperationSchema = z.object({
  name: z.string().startsWith(NAME),
  metadata: z.object({
    state: z.string(),
    displayName: z.string().nullish(),
    createTime: z.string().nullish(),
    batchStats: z.object({ successfulRequestCount: z.coerce.number().nullish() }).nullish(),
  }),
  response: z
    .object({
      responsesFile: z
        .string()
        .regex(/^files\/[\w-]+$/)
        .nullish(),
    })
    .nullish(),
});
const PageSchema = z.object({ operations: z.array(OperationSchema).nullish(), nextPageToken: z.string().nullish() });
const ResultSchema = z.object({
  key: z.string(),
  response: z.unknown().optional(),
  error: z.object({ code: z.number().nullish(), message: z.string().nullish() }).nullish(),
});

/**
 * Batches of Gemini. Their requests and results are in files. A batch that did not succeed has no results.
 * @param modelPath returns the path of a model, e.g. `/models/gemini-2.5-flash`
 */
export function generativeBatches(
  account: UpstreamAccount,
  context: UpstreamContext,
  modelPath: (model: string) => string,
): VendorBatchCapability {
  const { api_key: key } = account;
  // The version is not the first part of all paths.
  const [, root = '', version = ''] = /^(.*)(\/v1\w*)$/.exec(parseBaseUrl(versioned(account.base_url)).path) ?? [];
  const { origin } = new URL(account.base_url);
  const own = { ...account, base_url: origin + root };
  const caller = createBatchCaller(own, context, () => (key === undefined ? {} : { 'x-goog-api-key': key }));
  const pathOf = (id: string) => `${version}/${NAME}${encodeURIComponent(id)}`;
  return {
    maxRequests: 1_000_000,
    // https://ai.google.dev/gemini-api/docs/batch-api#input-file
    maxBytes: 2 * 1024 ** 3,
    framing: ['', '\n', '\n'],
    encode: (name, request) => `{"key":${JSON.stringify(name)},"request":${request}}`,
    upload(params, signal) {
      const path = `/upload${version}/files`;
      return caller.prepare(
        () => uploadFile(caller, { ...params, path, root }, signal),
        (body) => {
          const { data } = UploadedSchema.safeParse(body);
          return data && ({ kind: 'uploaded', name: data.file.name } as const);
        },
      );
    },
    submit({ batchId, model, uploaded }, signal) {
      const json = { batch: { displayName: batchId, inputConfig: { fileName: uploaded } } };
      const path = `${version}${modelPath(model)}:batchGenerateContent`;
      return caller.submit(
        () => caller.send({ method: 'POST', path, json }, batchId, signal),
        (body) => {
          const { data } = OperationSchema.pick({ name: true }).safeParse(body);
          return data && ({ kind: 'accepted', id: data.name.slice(NAME.length) } as const);
        },
      );
    },
    async find({ batchId, submittedAt }, signal) {
      const found = await findInList({
        send: (call) => caller.send(call, batchId, signal),
        call: (_page, token) => {
          const query = new URLSearchParams({ pageSize: String(PAGE), ...(token && { pageToken: token }) });
          return { method: 'GET', path: `${version}/batches?${query.toString()}` };
        },
        read: (body) => {
          const { data } = PageSchema.safeParse(body);
          const next = data?.nextPageToken ?? undefined;
          const jobs = data?.operations ?? [];
          return data && { jobs: jobs.map(listed), hasMore: next !== undefined && next !== '', next };
        },
        isMatch: ({ displayName }) => displayName === batchId,
        submittedAt,
      });
      return lookupOf(found);
    },
    async poll(id, signal) {
      const { status, body } = await caller.send({ method: 'GET', path: pathOf(id) }, id, signal);
      const { data } = OperationSchema.safeParse(body);
      return status === 200 && data ? pollOf(data) : { kind: 'unclear', reason: `HTTP ${status}` };
    },
    cancel: (id, signal) => caller.cancel(`${pathOf(id)}:cancel`, id, signal),
    openResults: (file, signal) => caller.open(`/download${version}/${file}:download?alt=media`, signal),
    readResult(line) {
      const { data } = ResultSchema.safeParse(line);
      return data && resultOf(data);
    },
  };
}

type Upload = Parameters<NonNullable<VendorBatchCapability['upload']>>[0] & { path: string; root: string };

/** Uploads a file with Google's resumable protocol, in which the first call returns the URL for the bytes. */
async function uploadFile(
  caller: BatchCaller,
  { batchId, content, path, root }: Upload,
  signal: AbortSignal,
): Promise<UpstreamResponse> {
  const json = { kind: 'json', value: { file: { displayName: batchId } } } as const;
  const headers = {
    'x-goog-upload-protocol': 'resumable',
    'x-goog-upload-command': 'start',
    'x-goog-upload-header-content-length': String(content.bytes),
    'x-goog-upload-header-content-type': 'application/jsonl',
  };
  const started = await caller.post({ path, body: json, headers }, batchId, signal);
  if (started.status !== 200) return started;
  const url = URL.parse(started.headers['x-goog-upload-url'] ?? '');
  if (!url) return { ...started, body: undefined };
  // The vendor's host is replaced by the configured one, which may be a proxy, and to which the credential is sent.
  const upload = url.pathname.startsWith(`${root}/`) ? url.pathname.slice(root.length) : url.pathname;
  const body = {
    kind: 'stream',
    contentType: 'application/jsonl',
    bytes: content.bytes,
    source: content.read(),
  } as const;
  const finalize = { 'x-goog-upload-offset': '0', 'x-goog-upload-command': 'upload, finalize' };
  return caller.post({ path: upload + url.search, body, headers: finalize }, batchId, signal);
}

type Operation = z.output<typeof OperationSchema>;

function listed({ name, metadata: { displayName, createTime } }: Operation) {
  const createdAt = createTime ? Date.parse(createTime) : undefined;
  return { id: name.slice(NAME.length), displayName, createdAt };
}

function pollOf({ metadata: { state, batchStats }, response }: Operation): VendorPoll {
  const file = response?.responsesFile;
  switch (state.replace(/^(?:BATCH|JOB)_STATE_/, '')) {
    case 'SUCCEEDED':
      return { kind: 'ended', end: 'completed', sources: file ? [file] : [] };
    case 'EXPIRED':
      return { kind: 'ended', end: 'expired', sources: file ? [file] : [] };
    case 'CANCELLED':
      return { kind: 'ended', end: 'cancelled', sources: file ? [file] : [] };
    case 'FAILED':
      // Requests that were run are not run again.
      return batchStats?.successfulRequestCount
        ? { kind: 'ended', end: 'completed', sources: file ? [file] : [] }
        : { kind: 'failed', reason: state };
    default:
      return { kind: 'running' };
  }
}

const CANCELLED = 1;
/** HTTP statuses and names of `google.rpc.Code`. */
const CODES: Readonly<Record<number, readonly [status: number, name: string]>> = {
  3: [400, 'INVALID_ARGUMENT'],
  4: [504, 'DEADLINE_EXCEEDED'],
  5: [404, 'NOT_FOUND'],
  7: [403, 'PERMISSION_DENIED'],
  8: [429, 'RESOURCE_EXHAUSTED'],
  14: [503, 'UNAVAILABLE'],
  16: [401, 'UNAUTHENTICATED'],
};

function resultOf({ key, response, error }: z.output<typeof ResultSchema>): VendorResult {
  if (response !== undefined) return { key, status: 200, body: response };
  if (!error) return { key, code: 'request_failed' };
  if (error.code === CANCELLED) return { key, code: 'batch_cancelled' };
  const [status, name] = CODES[error.code ?? 0] ?? [500, 'INTERNAL'];
  return { key, status, body: { error: { code: status, message: error.message ?? '', status: name } } };
}
