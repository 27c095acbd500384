import type { VendorBatchCapability, VendorBatchEnd, VendorPoll, VendorResult } from '@sluice/canonical';
import { z } from 'zod';
import type { UpstreamAccount, UpstreamContext } from '../contract/upstream.ts';
import { keyHeaderOf } from '../media/api-key.ts';
import { lookupOf } from './lookup-of.ts';
import { findInList } from '../media/find-in-list.ts';
import { createBatchCaller } from './batch-caller.ts';

/** The metadata that identifies a batch. */
const METADATA = 'sluice_batch';
const PAGE = 100;
const WINDOW = '24h';

const IdSchema = z.object({ id: z.string().min(1) });
const BatchSchema = z.object({
  id: z.string(),
  status: z.string(),
  created_at: z.number().nullish(),
  output_file_id: z.string().nullish(),
  error_file_id: z.string().nullish(),
  errors: z.object({ data: z.array(z.object({ code: z.string().nullish() })).nullish() }).nullish(),
  metadata: z.record(z.string(), z.unknown()).nullish(),
});
const PageSchema = z.object({ data: z.array(BatchSchema), has_more: z.boolean().nullish() });
const ResultSchema = z.object({
  custom_id: z.string(),
  response: z.object({ status_code: z.number(), body: z.unknown() }).nullish(),
  error: z.object({ code: z.string().nullish() }).nullish(),
});

/**
 * Batches of OpenAI, and of Azure, which has the same API.
 * @param endpoint the `url` of the requests
 */
export function openAiBatches(
  account: UpstreamAccount,
  context: UpstreamContext,
  endpoint: '/v1/chat/completions' | '/v1/responses',
): VendorBatchCapability {
  const caller = createBatchCaller(account, context, () => keyHeaderOf(account));
  return {
    // https://platform.openai.com/docs/guides/batch#rate-limits
    maxRequests: 50_000,
    maxBytes: 200 * 1024 * 1024,
    framing: ['', '\n', '\n'],
    encode: (key, request) =>
      `{"custom_id":${JSON.stringify(key)},"method":"POST","url":"${endpoint}","body":${request}}`,
    upload({ batchId, content }, signal) {
      const source = content.read();
      const file = { name: 'file', filename: `${batchId}.jsonl`, mediaType: 'application/jsonl', source };
      const form = { fields: [['purpose', 'batch']] as [string, string][], files: [{ ...file, bytes: content.bytes }] };
      const call = () => caller.send({ method: 'POST', path: '/files', form }, batchId, signal);
      return caller.prepare(call, (body) => {
        const { data } = IdSchema.safeParse(body);
        return data && ({ kind: 'uploaded', name: data.id } as const);
      });
    },
    submit({ batchId, uploaded }, signal) {
      const metadata = { [METADATA]: batchId };
      const json = { input_file_id: uploaded, endpoint, completion_window: WINDOW, metadata };
      const call = () => caller.send({ method: 'POST', path: '/batches', json }, batchId, signal);
      return caller.submit(call, (body) => {
        const { data } = IdSchema.safeParse(body);
        return data && ({ kind: 'accepted', id: data.id } as const);
      });
    },
    async find({ batchId, submittedAt }, signal) {
      const found = await findInList({
        send: (call) => caller.send(call, batchId, signal),
        call: (_page, after) => ({
          method: 'GET',
          path: `/batches?limit=${PAGE}${after === undefined ? '' : `&after=${encodeURIComponent(after)}`}`,
        }),
        read: (body) => {
          const { data } = PageSchema.safeParse(body);
          const jobs = data?.data.map(({ created_at: at, ...job }) => ({
            ...job,
            createdAt: at ? at * 1_000 : undefined,
          }));
          return jobs && { jobs, hasMore: data?.has_more === true, next: jobs.at(-1)?.id };
        },
        isMatch: ({ metadata }) => metadata?.[METADATA] === batchId,
        submittedAt,
      });
      return lookupOf(found);
    },
    async poll(id, signal) {
      const { status, body } = await caller.send({ method: 'GET', path: pathOf(id) }, id, signal);
      const { data } = BatchSchema.safeParse(body);
      return status === 200 && data ? pollOf(data) : { kind: 'unclear', reason: `HTTP ${status}` };
    },
    cancel: (id, signal) => caller.cancel(`${pathOf(id)}/cancel`, id, signal),
    openResults: (source, signal) => caller.open(`/files/${encodeURIComponent(source)}/content`, signal),
    readResult(line) {
      const { data } = ResultSchema.safeParse(line);
      return data && resultOf(data);
    },
  };
}

function pathOf(id: string): string {
  return `/batches/${encodeURIComponent(id)}`;
}

const ENDS: Readonly<Record<string, VendorBatchEnd | undefined>> = {
  completed: 'completed',
  expired: 'expired',
  cancelled: 'cancelled',
};

function pollOf({ status, errors, output_file_id, error_file_id }: z.output<typeof BatchSchema>): VendorPoll {
  if (status === 'failed') return { kind: 'failed', reason: errors?.data?.[0]?.code ?? status };
  const end = ENDS[status];
  if (end === undefined) return { kind: 'running' };
  return { kind: 'ended', end, sources: [output_file_id, error_file_id].filter((id) => typeof id === 'string') };
}

function resultOf({ custom_id: key, response, error }: z.output<typeof ResultSchema>): VendorResult {
  if (response) return { key, status: response.status_code, body: response.body };
  const code = error?.code;
  return { key, code: code === 'batch_expired' || code === 'batch_cancelled' ? code : 'request_failed' };
}
