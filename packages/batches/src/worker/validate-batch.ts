import { type BatchInputError, GatewayError } from '@sluice/canonical';
import { NANOS_PER_USD } from '@sluice/limits';
import { modelOf } from '../input/check-line.ts';
import { CustomIds } from '../input/custom-ids.ts';
import { InvalidBatchInput, type ReadLine, readBatchLines } from '../input/read-batch-lines.ts';
import { encodeSegment, type Segment, SegmentBuilder } from '../input/segments.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import type { VendorState } from '../store/vendor-state.ts';
import { type EstimatedCost, estimateCost, overBudget } from './estimate-cost.ts';
import { type ClaimedJob, expectLease, type Lease } from './leases.ts';
import { openUploads } from './open-uploads.ts';
import type { WorkerContext } from './worker-context.ts';

/** Segments that are recorded at once. */
const SEGMENTS = 100;

interface ValidInput {
  lines: number;
  segments: number;
  /** Undefined if the lines have several models, or none. */
  model: string | undefined;
}

/**
 * Checks the input of a batch while it is streamed, and records its segments. If it is valid, starts the batch. Else ends
 * it, and no line is run.
 */
export async function validateBatch(context: WorkerContext, { lease, batch }: ClaimedJob): Promise<void> {
  let lines = 0;
  try {
    if (batch.expiresAt <= context.now()) throw new InvalidBatchInput([expired()]);
    const input = await checkInput(context, lease, batch);
    ({ lines } = input);
    await start(context, lease, batch, input, await estimateCost(context, batch));
  } catch (error) {
    if (lease.lost.aborted) return;
    if (lease.closing.aborted) return start(context, lease, batch, { lines: 0, segments: 0, model: undefined });
    const errors = errorsOf(error);
    if (!errors) throw error;
    await fail(context, lease, batch, {
      errors,
      lines: error instanceof InvalidBatchInput ? (error.lines ?? lines) : lines,
    });
  } finally {
    context.leases.forget(lease);
  }
}

async function checkInput(context: WorkerContext, lease: Lease, batch: StoredBatch): Promise<ValidInput> {
  const { files, settings } = context;
  const { endpoint, protocol } = batch;
  const { bytes } = await files.find(batch.owner, batch.inputFileId);
  if (bytes > settings.maxInputBytes) throw new InvalidBatchInput([tooLarge(bytes, settings.maxInputBytes)]);
  const signal = AbortSignal.any([lease.lost, lease.closing, context.stopping]);
  async function* read(): AsyncGenerator<ReadLine> {
    const source = (await files.open(batch.inputFileId)) as AsyncIterable<Uint8Array>; // It yields bytes.
    for await (const line of readBatchLines(source, { endpoint, protocol, limits: settings })) {
      signal.throwIfAborted();
      yield line;
    }
  }

  const ids = new CustomIds();
  const builder = new SegmentBuilder();
  const writer = new SegmentWriter(context, lease);
  const models = new Set<string | undefined>();
  let lines = 0;
  for await (const valid of read()) {
    lines = valid.number;
    ids.add(valid.line.custom_id);
    if (models.size < 2) models.add(modelOf(valid.line));
    const segment = builder.add(valid);
    if (segment) await writer.add(segment);
  }
  const duplicates = await ids.duplicates(read);
  if (duplicates.length > 0) throw new InvalidBatchInput(duplicates, lines);
  const last = builder.last();
  if (last) await writer.add(last);
  await writer.flush();
  const [model] = models;
  return { lines, segments: writer.count, model: models.size === 1 ? model : undefined };
}

/** Records the segments of a batch, some at once. */
class SegmentWriter {
  readonly #context: WorkerContext;
  readonly #lease: Lease;
  #pending: string[] = [];
  count = 0;

  constructor(context: WorkerContext, lease: Lease) {
    this.#context = context;
    this.#lease = lease;
  }

  async add(segment: Segment): Promise<void> {
    this.#pending.push(String(this.count), encodeSegment(segment));
    this.count += 1;
    if (this.#pending.length === SEGMENTS * 2) await this.flush();
  }

  /** @throws Error if the lease was lost */
  async flush(): Promise<void> {
    if (this.#pending.length === 0) return;
    const { redis, keys } = this.#context;
    const { id, token } = this.#lease;
    expectLease(await redis.batchesAddSegments(keys.root, id, token, ...this.#pending));
    this.#pending = [];
  }
}

/** @throws {InvalidBatchInput} if the budget of the owner does not cover the cost any more */
async function start(
  context: WorkerContext,
  lease: Lease,
  batch: StoredBatch,
  { lines, segments, model }: ValidInput,
  { nanos, budget }: Partial<EstimatedCost> = {},
): Promise<void> {
  const { redis, keys, files, settings, now, logger } = context;
  const { id, owner } = batch;
  const uploads = segments === 0 ? { outputUpload: '', errorUpload: '' } : await openUploads(context, batch);
  const vendor = vendorOf(context, batch, { lines, model });
  const fields = {
    ...uploads,
    model: model ?? '',
    estimatedCostUsd: String(nanos === undefined ? '' : nanos / NANOS_PER_USD),
    vendorStage: vendor?.stage ?? '',
    vendor: vendor ? JSON.stringify(vendor) : '',
  };
  // Workers reserve the cost of each line when they send it.
  const reserved = vendor && budget && nanos !== undefined ? [nanos, budget.nanos, budget.period] : ['', '', ''];
  const args = [now(), settings.retentionMs, segments, lines, ...reserved, ...Object.entries(fields).flat()];
  const result = await redis.batchesStart(keys.root, id, lease.token, ...args);
  if (result === 'started') return logger.info({ batch: id, client: owner, lines, segments }, 'batch started');
  for (const upload of Object.values(uploads)) if (upload !== '') await files.cancelUpload(owner, upload);
  if (result === 'over_budget') throw overBudget(nanos);
  if (result === 'cancelled') logger.info({ batch: id, client: owner }, 'batch cancelled before it started');
}

/** Returns the start of a batch that a vendor runs. */
function vendorOf(
  { vendors }: Pick<WorkerContext, 'vendors'>,
  { id, endpoint }: StoredBatch,
  { lines, model }: Pick<ValidInput, 'lines' | 'model'>,
): VendorState | undefined {
  const at = lines === 0 || model === undefined ? undefined : vendors.accountOf({ id, endpoint, model });
  const capability = at && vendors.open(at.account);
  return capability && lines <= capability.maxRequests ? { ...at, stage: 'prepare' } : undefined;
}

async function fail(
  { redis, keys, settings, now, logger }: WorkerContext,
  { id, job, token }: Lease,
  { owner }: StoredBatch,
  { errors, lines }: { errors: readonly BatchInputError[]; lines: number },
): Promise<void> {
  const args = [id, job, token, now(), settings.retentionMs, JSON.stringify(errors), lines];
  if ((await redis.batchesFail(keys.root, ...args)) === 0) return;
  logger.info({ batch: id, client: owner, code: errors[0]?.code }, 'batch failed: its input is invalid');
}

/** Returns the errors of a batch that cannot run. Undefined if the validation can be repeated. */
function errorsOf(error: unknown): readonly BatchInputError[] | undefined {
  if (error instanceof InvalidBatchInput) return error.errors;
  if (error instanceof GatewayError && (error.code === 'file_not_found' || error.code === 'storage_quota_exceeded')) {
    return [{ code: error.code, message: error.message }];
  }
  return undefined;
}

function tooLarge(bytes: number, max: number): BatchInputError {
  const [actual, allowed] = [bytes, max].map((count) => count.toLocaleString('en-US'));
  const message = `The input file has ${actual} bytes, but at most ${allowed} are allowed. Split it into several batches.`;
  return { code: 'file_too_large', message };
}

function expired(): BatchInputError {
  return { code: 'batch_expired', message: 'The batch expired before its input was checked. Create it again.' };
}
