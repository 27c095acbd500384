import { randomUUID } from 'node:crypto';
import type {
  VendorBatchCapability,
  VendorBatchContent,
  VendorBatchEnd,
  VendorLookup,
  VendorResult,
  VendorSubmission,
} from '@sluice/canonical';
import type { Limiter } from '@sluice/limits';
import type { LineRequest, LineResponse, VendorBatches } from '../src/worker/worker-context.ts';

/** A batch at the vendor. */
interface VendorBatch {
  id: string;
  batchId: string;
  keys: string[];
  isCancelled: boolean;
}

/** A vendor of batches, and the API of the worker that encodes requests for it. */
export interface ScriptedVendor {
  capability: VendorBatchCapability;
  vendors: VendorBatches;
  batches: VendorBatch[];
  /** How a submission ends, after the vendor has created the batch. By default, with its id. */
  onSubmit: (batch: VendorBatch) => VendorSubmission;
  /** The result of a lookup. By default, the batch. */
  onFind: (found: VendorLookup) => VendorLookup;
  /** The end of batches. Undefined while they run. */
  end: VendorBatchEnd | 'failed' | undefined;
  /** The result of each request, by its line. Undefined if there is none. */
  resultOf: (
    line: number,
  ) =>
    | Pick<Extract<VendorResult, { status: number }>, 'status'>
    | { code: 'batch_expired' | 'batch_cancelled' }
    | undefined;
  /** How often a line was charged, by its id. */
  charges: Map<string, number>;
  /** How often the usage of a line was counted, by its id. */
  counts: Map<string, number>;
  /** The response to a request that must be encoded. */
  onEncode: (customId: string) => number;
  serve: (request: LineRequest) => Promise<LineResponse>;
}

/** The cost of each line, in nano-dollars. */
export const LINE_NANOS = 400_000;

/** @param limiter charges the lines to `alice` */
export function scriptedVendor(limiter: Pick<Limiter, 'charge'>): ScriptedVendor {
  const vendor: ScriptedVendor = {
    batches: [],
    onSubmit: ({ id }) => ({ kind: 'accepted', id }),
    onFind: (found) => found,
    end: 'completed',
    resultOf: () => ({ status: 200 }),
    charges: new Map(),
    counts: new Map(),
    onEncode: () => 200,
    vendors: {
      accountOf: ({ model }) => ({ account: 'vendor', model: `their-${model}` }),
      open: (account) => (account === 'vendor' ? vendor.capability : undefined),
      async charge(id, due) {
        // With a new id, only the due charge prevents a repetition.
        const request = { id: randomUUID(), owner: 'alice' };
        const isFirst = await limiter.charge(request, { tokens: 0, nanos: LINE_NANOS }, undefined, due);
        if (isFirst) vendor.charges.set(id, (vendor.charges.get(id) ?? 0) + 1);
        return isFirst;
      },
    },
    serve: ({ vendorLine, body, headers }) => {
      // The cast is safe because the rig wrote the body.
      const { user } = JSON.parse(body) as { user: string };
      if (vendorLine?.step === 'record') {
        const text = headers['x-request-id'] ?? '';
        const count = () => void vendor.counts.set(text, (vendor.counts.get(text) ?? 0) + 1);
        const charge = () => Promise.resolve({ text, count });
        return Promise.resolve({ ...response(vendorLine.status, vendorLine.body), charge });
      }
      return Promise.resolve(response(vendor.onEncode(user), JSON.stringify({ asks: user })));
    },
    capability: {
      maxRequests: 10_000,
      maxBytes: 10_000_000,
      framing: ['', '\n', '\n'],
      encode: (key, request) => JSON.stringify({ key, request: JSON.parse(request) as unknown }),
      async submit({ batchId, content }) {
        const keys = (await linesOf(content)).map((line) => (JSON.parse(line) as { key: string }).key);
        const batch = { id: `their-${vendor.batches.length}`, batchId, keys, isCancelled: false };
        vendor.batches.push(batch);
        return vendor.onSubmit(batch);
      },
      find({ batchId }) {
        const found = vendor.batches.find((batch) => batch.batchId === batchId);
        return Promise.resolve(vendor.onFind(found ? { kind: 'found', id: found.id } : { kind: 'missing' }));
      },
      poll(id) {
        const { isCancelled } = batchOf(id);
        if (vendor.end === 'failed') return Promise.resolve({ kind: 'failed', reason: 'token_limit_exceeded' });
        const end = isCancelled ? 'cancelled' : vendor.end;
        return Promise.resolve(end ? { kind: 'ended', end, sources: [id] } : { kind: 'running' });
      },
      cancel(id) {
        batchOf(id).isCancelled = true;
        return Promise.resolve();
      },
      openResults: (id) => Promise.resolve(resultsOf(vendor, batchOf(id))),
      readResult: (line) => line as VendorResult,
    },
  };

  function batchOf(id: string): VendorBatch {
    const batch = vendor.batches.find((one) => one.id === id);
    if (!batch) throw new Error(`the vendor has no batch ${id}`);
    return batch;
  }

  return vendor;
}

/** In reverse order, because vendors return results in any order. */
async function* resultsOf(vendor: ScriptedVendor, { keys }: VendorBatch): AsyncGenerator<Uint8Array> {
  for (const key of keys.toReversed()) {
    const result = vendor.resultOf(Number(key.split('-')[1]));
    if (result) yield Buffer.from(`${JSON.stringify({ key, body: { says: key }, ...result })}\n`);
  }
}

async function linesOf(content: VendorBatchContent): Promise<string[]> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content.read()) chunks.push(chunk);
  return Buffer.concat(chunks).toString().trim().split('\n');
}

function response(status: number, text: string): LineResponse {
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(text);
  }
  const headers = { 'x-sluice-attempts': '1' };
  return { status, headers, body: bytes(), recorded: () => Promise.resolve({}) };
}
