import {
  type BatchLine,
  type BatchLineErrorCode,
  GatewayError,
  type VendorBatchCapability,
  type VendorResult,
} from '@sluice/canonical';
import { parseSegment, type Segment } from '../input/segments.ts';
import { splitLines } from '../input/split-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import { lineField, positionsWith } from '../store/line-fields.ts';
import { type ClaimedJob, expectLease, type Lease } from '../worker/leases.ts';
import { errorResult, type LineName, responseResult, usageArgs } from '../worker/line-result.ts';
import { isInputGone, parseLine, readLines } from '../worker/read-lines.ts';
import type { LineKind, WorkerContext } from '../worker/worker-context.ts';
import { writeParts } from '../worker/write-parts.ts';
import { inOrder } from './in-order.ts';
import { lineOfKey } from './request-key.ts';
import { parsePlaces, rangesOf } from './result-index.ts';
import { type ServedVendorLine, serveVendorLine } from './serve-vendor-line.ts';
import { MAX_RESULT_BYTES, openStored, parseJson } from './store-results.ts';
import { isOverdue, type VendorState } from '../store/vendor-state.ts';

/** Results that are recorded at once. */
const WIDTH = 8;
const MAX_GAP = 256 * 1024;
const NOT_RUN = 'The vendor did not run this request.';

/**
 * Records the vendor's results of a segment: each is decoded and charged as the response of a live request, at the price
 * of batches. It can be repeated: a line with a result is skipped, and its usage is charged once.
 */
export async function recordSegment(context: WorkerContext, claimed: ClaimedJob, vendor: VendorState): Promise<void> {
  const { redis, keys, leases, now } = context;
  const { lease, batch, segment } = claimed;
  const parsed = parseSegment(segment);
  await new SegmentRecorder(context, claimed, parsed, vendor).run();
  await writeParts(context, lease, batch, parsed);
  await redis.batchesEndSegment(keys.root, lease.id, lease.job, lease.token, now());
  leases.forget(lease);
}

interface FoundResult {
  line: number;
  result: VendorResult;
  /** Reserved in memory. */
  bytes: number;
}

class SegmentRecorder {
  readonly #context: WorkerContext;
  readonly #lease: Lease;
  readonly #batch: StoredBatch;
  readonly #segment: Segment;
  readonly #vendor: VendorState;
  /** The lines without a result, by their numbers. A segment is small. */
  readonly #open = new Map<number, BatchLine | undefined>();
  #isLost: boolean;
  #hasKey = true;

  constructor(context: WorkerContext, { lease, batch }: ClaimedJob, segment: Segment, vendor: VendorState) {
    this.#context = context;
    this.#lease = lease;
    this.#batch = batch;
    this.#segment = segment;
    this.#vendor = vendor;
    this.#isLost = vendor.end === 'lost';
  }

  async run(): Promise<void> {
    await this.#readOpen();
    try {
      await this.#recordResults();
    } catch (error) {
      if (!isOverdue(this.#batch, this.#context.now())) throw error;
      this.#isLost = true;
    }
    for (const [line, request] of this.#open) await this.#recordMissing(line, request);
  }

  /** @throws Error if the account or the results are not available now */
  async #recordResults(): Promise<void> {
    const capability = this.#context.vendors.open(this.#vendor.account);
    if (!capability) throw new Error('the account that ran a batch does not exist');
    const record = (found: FoundResult) => this.#record(found).finally(() => this.#context.memory.release(found.bytes));
    for await (const line of inOrder(this.#results(capability), WIDTH, record)) this.#open.delete(line);
  }

  /** Reads the lines without a result, and charges those that a worker recorded before it died. */
  async #readOpen(): Promise<void> {
    const { redis, keys } = this.#context;
    const { first, lines } = this.#segment;
    const recorded = await redis.hgetall(keys.lines(this.#lease.id, this.#lease.job));
    for (const at of positionsWith('charge', Object.keys(recorded))) {
      await this.#charge(at, recorded[lineField('charge', at)] ?? '');
    }
    for (let at = 0; at < lines; at += 1) {
      if (recorded[lineField('result', at)] === undefined) this.#open.set(first + at, undefined);
    }
    if (this.#open.size === 0) return;
    const { input } = this.#vendor;
    try {
      for await (const { number, bytes } of readLines(this.#context, this.#batch, this.#segment, input)) {
        if (this.#open.has(number)) this.#open.set(number, parseLine(bytes));
      }
    } catch (error) {
      // E.g. the client deleted the input before the submission.
      if (!isInputGone(error, isOverdue(this.#batch, this.#context.now()))) throw error;
    }
  }

  async *#results(capability: VendorBatchCapability): AsyncGenerator<FoundResult> {
    const { redis, keys, files, memory } = this.#context;
    const text = (await redis.hget(keys.results(this.#lease.id), this.#lease.job)) ?? '';
    const places = parsePlaces(text).filter(({ line }) => this.#open.get(line) !== undefined);
    for (const { source, start, end, places: wanted } of rangesOf(places, MAX_GAP)) {
      const content = this.#vendor.results?.[source];
      if (!content) continue;
      const starts = new Set(wanted.map((place) => place.start));
      const opened = await openStored(files, content, { start, end });
      for await (const { bytes, start: at } of splitLines(opened, MAX_RESULT_BYTES, { start })) {
        if (!bytes || !starts.has(at)) continue;
        await memory.take(bytes.length);
        const result = capability.readResult(parseJson(bytes));
        const line = result && lineOfKey(this.#batch.id, result.key);
        if (result && line !== undefined) yield { line, result, bytes: bytes.length };
        else memory.release(bytes.length);
      }
    }
  }

  /** @returns the line */
  async #record({ line, result }: FoundResult): Promise<number> {
    this.#lease.lost.throwIfAborted();
    const request = this.#open.get(line);
    if (!request) return line;
    if ('code' in result) {
      const { closing } = this.#batch;
      // The vendor reports a cancellation also if Sluice canceled the batch because it expired.
      const isClosed = closing !== undefined && result.code !== 'request_failed';
      const code = isClosed ? (`batch_${closing}` as const) : result.code;
      const message = code === 'request_failed' ? NOT_RUN : undefined;
      await this.#finish(line, kindOf(code), errorResult(this.#nameOf(line, request), code, message));
      return line;
    }
    const { status, body } = result;
    const { account, model } = this.#vendor;
    const recorded = { step: 'record', account, model, status, body: JSON.stringify(body) } as const;
    const served = await serveVendorLine(this.#context, this.#batch, { number: line, line: request }, recorded);
    const kind = served.status < 400 ? 'completed' : 'failed';
    await this.#finish(line, kind, responseResult(this.#nameOf(line, request), served), served);
    return line;
  }

  async #recordMissing(line: number, request: BatchLine | undefined): Promise<void> {
    this.#lease.lost.throwIfAborted();
    const refused = request && !this.#batch.closing ? await this.#refusal(line, request) : undefined;
    if (refused) return this.#finish(line, 'failed', refused);
    const code = this.#codeOfMissing(request);
    await this.#finish(line, kindOf(code), errorResult(this.#nameOf(line, request), code));
  }

  /** Returns the result of a line that was not submitted, because the API refuses it. */
  async #refusal(number: number, line: BatchLine): Promise<string | undefined> {
    if (!this.#hasKey) return undefined;
    const encode = { step: 'encode', account: this.#vendor.account } as const;
    try {
      const served = await serveVendorLine(this.#context, this.#batch, { number, line }, encode);
      return served.status >= 400 ? responseResult(this.#nameOf(number, line), served) : undefined;
    } catch (error) {
      if (!(error instanceof GatewayError) || error.code !== 'invalid_api_key') throw error;
      this.#hasKey = false;
      return undefined;
    }
  }

  #codeOfMissing(request: BatchLine | undefined): BatchLineErrorCode {
    if (!request) return 'request_failed';
    if (this.#isLost) return 'outcome_unknown';
    const { closing } = this.#batch;
    return closing === undefined ? 'result_missing' : `batch_${closing}`;
  }

  async #finish(line: number, kind: LineKind, result: string, used?: Pick<ServedVendorLine, 'use' | 'charge'>) {
    const { redis, keys, observer } = this.#context;
    const { id, job, token } = this.#lease;
    const at = line - this.#segment.first;
    const { text: charge = '', count } = used?.charge ?? {};
    const args = [id, job, token, at, '', kind, result, charge, ...usageArgs(used?.use)];
    expectLease(await redis.batchesFinishLine(keys.root, ...args));
    observer?.lineEnded(kind);
    if (charge === '' || (await this.#charge(at, charge))) count?.();
  }

  /**
   * The charge and its removal are one step, so a worker that takes over does not repeat it.
   * @returns whether it is new
   */
  #charge(at: number, charge: string): Promise<boolean> {
    const { keys, vendors } = this.#context;
    const { id, job } = this.#lease;
    return vendors.charge(charge, { key: keys.lines(id, job), field: lineField('charge', at), record: keys.batch(id) });
  }

  #nameOf(number: number, request: BatchLine | undefined): LineName {
    return { batchId: this.#batch.id, number, customId: request?.custom_id ?? '' };
  }
}

function kindOf(code: BatchLineErrorCode): LineKind {
  if (code === 'batch_expired') return 'expired';
  return code === 'batch_cancelled' ? 'cancelled' : 'failed';
}
