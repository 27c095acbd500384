import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { batchSeconds, hasBatchDirective } from '../directives/batch-directives.ts';
import { closeSignal, wait } from '../http/wait.ts';
import { WireError } from '../http/wire-error.ts';
import { dropConnection } from '../wires/media/broken-responses.ts';
import type { FormatError } from '../wires/media/format-error.ts';
import { taskOf } from '../wires/media/media-params.ts';
import { createBatchFaults } from './batch-faults.ts';
import type { BatchVendor } from './batch-vendor.ts';
import { runBatch } from './run-batch.ts';
import { type BatchWork, isEnded, type VendorBatch } from './vendor-batch.ts';

interface BatchWireSpec {
  wire: string;
  format: FormatError;
}

export interface BatchCreation<Details> {
  id: string;
  /** The first line. */
  text: string;
  /** The key of the first line. */
  firstKey: string;
  details: Details;
  work(batch: VendorBatch<Details>): BatchWork;
  /** Formats the response. */
  response(batch: VendorBatch<Details>): unknown;
}

function newBatch<Details>(
  { id, text, details }: BatchCreation<Details>,
  origin: Pick<VendorBatch<Details>, 'wire' | 'task' | 'createdAt'>,
): VendorBatch<Details> {
  const counts = { total: 0, succeeded: 0, failed: 0, unserved: 0 };
  return { id, text, details, ...origin, status: 'validating', counts, canceled: new AbortController() };
}

/**
 * The behavior that the batch APIs of all vendors share: directives, counts, the run, and the lookup of batches. Batches
 * are kept in memory, and end when the sandbox closes.
 */
export function createBatchWire<Details>(app: FastifyInstance, vendor: BatchVendor, { wire, format }: BatchWireSpec) {
  const { counts, now } = vendor;
  const { consume, check } = createBatchFaults(counts, wire, format);
  const batches = new Map<string, VendorBatch<Details>>();
  const runs = new Set<Promise<void>>();

  app.addHook('onClose', async () => {
    for (const { canceled } of batches.values()) canceled.abort();
    await Promise.all(runs);
  });

  function accept(task: string, creation: BatchCreation<Details>): VendorBatch<Details> {
    const batch = newBatch(creation, { wire, task, createdAt: now() });
    counts.accept(batch);
    batches.set(batch.id, batch);
    const run = runBatch(app, vendor, batch, creation.work(batch)).catch((error: unknown) => {
      batch.status = 'failed';
      batch.endedAt = now();
      app.log.error(error);
    });
    runs.add(run);
    void run.then(() => runs.delete(run));
    return batch;
  }

  /** @throws WireError `not_found`. */
  function find(id: string): VendorBatch<Details> {
    const batch = batches.get(id);
    if (batch === undefined) throw format('not_found', id);
    return batch;
  }

  return {
    /** @throws WireError for a rejection by a directive. */
    async create(request: FastifyRequest, reply: FastifyReply, creation: BatchCreation<Details>) {
      const { text, firstKey } = creation;
      const task = taskOf(request, firstKey);
      if (consume('lostRequest', text, task)) return dropConnection(request, reply);
      try {
        check(text, task);
      } catch (error) {
        if (error instanceof WireError) counts.refuse({ wire, task });
        throw error;
      }
      const batch = accept(task, creation);
      await wait((batchSeconds(text, 'late-reply') ?? 0) * 1000, closeSignal(reply.raw));
      if (hasBatchDirective(text, 'lostReply')) return dropConnection(request, reply);
      return reply.send(creation.response(batch));
    },
    find,
    /** Applies the directives of polls. @throws WireError for an injected fault. */
    poll(id: string): VendorBatch<Details> {
      const batch = find(id);
      if (consume('broken', batch.text, id)) throw format('broken');
      return batch;
    },
    /** Returns all batches, oldest first. */
    batches: () => [...batches.values()],
    /** Cancels a batch that has not ended. Its lines in flight are still served. */
    cancel(batch: VendorBatch<Details>): void {
      if (isEnded(batch) || batch.canceled.signal.aborted) return;
      batch.status = 'canceling';
      batch.cancelingAt = now();
      batch.canceled.abort();
    },
    remove: ({ id }: VendorBatch<Details>) => void batches.delete(id),
    /** Whether to cut this download of the results. */
    isCut: ({ text, id }: VendorBatch<Details>) => consume('cut', text, id),
  };
}
