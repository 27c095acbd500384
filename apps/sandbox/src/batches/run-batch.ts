import type { FastifyInstance } from 'fastify';
import { batchSeconds, hasBatchDirective } from '../directives/batch-directives.ts';
import { wait } from '../http/wait.ts';
import { parseJson } from '../schema/json.ts';
import type { BatchVendor } from './batch-vendor.ts';
import { type BatchLine, type BatchWork, isSucceeded, type LineOutcome, type VendorBatch } from './vendor-batch.ts';

/** The number of lines that a batch serves at the same time. */
const CONCURRENCY = 8;

/** Serves a line with the endpoint that also serves it outside of batches. Without a response, its status is 500. */
async function serveLine(app: FastifyInstance, { path, headers, body }: BatchLine): Promise<LineOutcome> {
  const payload = JSON.stringify(body);
  try {
    const response = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/json', ...headers },
      payload,
    });
    return { type: 'response', status: response.statusCode, body: parseJson(response.body) };
  } catch {
    return { type: 'response', status: 500, body: undefined };
  }
}

async function serveLines<Details>(
  app: FastifyInstance,
  vendor: BatchVendor,
  batch: VendorBatch<Details>,
  work: BatchWork,
): Promise<void> {
  const { text, counts, canceled } = batch;
  const isStalled = hasBatchDirective(text, 'stall');
  const isHalf = isStalled || hasBatchDirective(text, 'expire');
  const max = isHalf ? Math.floor(counts.total / 2) : Infinity;
  const lines = work.lines()[Symbol.asyncIterator]();
  let started = 0;

  async function serve(line: BatchLine): Promise<void> {
    started += 1;
    if (started > max && isStalled) await wait(Infinity, canceled.signal);
    if (started > max || canceled.signal.aborted) {
      counts.unserved += 1;
      return work.record(line, { type: canceled.signal.aborted ? 'canceled' : 'expired' });
    }
    vendor.counts.countLine(batch, line.key);
    const outcome = await serveLine(app, line);
    await work.record(line, outcome);
    counts[isSucceeded(outcome) ? 'succeeded' : 'failed'] += 1;
  }

  async function serveInTurn(): Promise<void> {
    for (let next = await lines.next(); next.done !== true; next = await lines.next()) await serve(next.value);
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, serveInTurn));
}

/** Runs a batch to its end. It takes at least the render time of the sandbox, unless it is canceled. */
export async function runBatch<Details>(
  app: FastifyInstance,
  vendor: BatchVendor,
  batch: VendorBatch<Details>,
  work: BatchWork,
): Promise<void> {
  const { text, canceled, createdAt } = batch;
  const total = await work.prepare();
  batch.counts.total = total ?? 0;
  const isFailed = total === undefined || (!work.neverFails && hasBatchDirective(text, 'fail'));
  if (!isFailed) {
    batch.startedAt = vendor.now();
    if (batch.status === 'validating') batch.status = 'running';
    await serveLines(app, vendor, batch, work);
    const seconds = batchSeconds(text, 'slow');
    const durationMs = seconds === undefined ? vendor.renderMs : seconds * 1000;
    await wait(createdAt + durationMs - vendor.now(), canceled.signal);
  }
  await work.finish();
  batch.endedAt = vendor.now();
  const isExpired = hasBatchDirective(text, 'expire');
  if (isFailed) batch.status = 'failed';
  else if (canceled.signal.aborted) batch.status = 'canceled';
  else batch.status = isExpired ? 'expired' : 'completed';
}
