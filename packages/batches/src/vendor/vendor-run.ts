import { Readable } from 'node:stream';
import {
  GatewayError,
  type VendorBatchCapability,
  type VendorBatchContent,
  type VendorBatchEnd,
  type VendorBatchParams,
  type VendorPoll,
} from '@sluice/canonical';
import type { StoredBatch } from '../store/batch-record.ts';
import type { VendorRecord } from '../store/batch-scripts.ts';
import { cancelWithoutKey } from '../worker/cancel-without-key.ts';
import type { ClaimedJob, Lease } from '../worker/leases.ts';
import type { WorkerContext } from '../worker/worker-context.ts';
import { type EncodedRequests, encodeRequests, NotForVendorError } from './encode-requests.ts';
import { failSubmission } from './fail-submission.ts';
import { indexResults, readStored, storeResults } from './store-results.ts';
import { isOverdue, type VendorState } from '../store/vendor-state.ts';

/** The delay of the next step in milliseconds, or `ended` if the job has no further step. */
type Next = number | 'ended';

const MAX_POLL_MS = 60_000;
/** For a submission after an upload, which does not contain the requests. */
const NO_CONTENT: VendorBatchContent = { bytes: 0, read: () => Readable.from([]) };

/** Runs a batch as one of its vendor, up to the results. Each step is repeated after a crash, except the submission. */
export async function runVendorBatch(context: WorkerContext, claimed: ClaimedJob): Promise<void> {
  const { lease, batch } = claimed;
  if (!batch.vendor) throw new Error('a batch with the job of a vendor has a vendor');
  const next = await new VendorRun(context, lease, batch, batch.vendor).run();
  if (next === 'ended') context.leases.forget(lease);
  else await context.leases.release(lease, next);
}

class VendorRun {
  readonly #context: WorkerContext;
  readonly #lease: Lease;
  readonly #batch: StoredBatch;
  readonly #signal: AbortSignal;
  #state: VendorState;

  constructor(context: WorkerContext, lease: Lease, batch: StoredBatch, state: VendorState) {
    this.#context = context;
    this.#lease = lease;
    this.#batch = batch;
    this.#state = state;
    this.#signal = AbortSignal.any([lease.lost, context.aborting]);
  }

  async run(): Promise<Next> {
    for (;;) {
      const next = await this.#step();
      if (next !== 0 || this.#context.stopping.aborted) return next;
    }
  }

  #step(): Promise<Next> {
    const capability = this.#context.vendors.open(this.#state.account);
    switch (this.#state.stage) {
      case 'prepare':
        return this.#prepare(capability);
      case 'submitting':
        return this.#find(capability);
      case 'submitted':
        return this.#poll(capability);
      case 'ended':
        return this.#endWithResults(capability);
    }
  }

  async #prepare(capability: VendorBatchCapability | undefined): Promise<Next> {
    const { closing } = this.#batch;
    if (closing) return this.#end({ end: closing, results: [] });
    if (!capability) return this.#runLines('the account has no batches');
    const { uploaded } = this.#state;
    if (uploaded) return this.#submit(capability, { ...uploaded, content: NO_CONTENT });
    try {
      const encoded = await encodeRequests(this.#context, this.#job, capability, this.#state.account);
      try {
        return await this.#upload(capability, encoded);
      } finally {
        await this.#context.files.discard(encoded.content);
      }
    } catch (error) {
      // The batch is claimed again, and then knows that it closes.
      if (this.#lease.closing.aborted) return 1;
      if (error instanceof NotForVendorError) return this.#runLines(error.message);
      if (!(error instanceof GatewayError)) throw error;
      if (error.code === 'file_not_found') return this.#runLines('the input file was deleted');
      if (error.code !== 'invalid_api_key') throw error;
      await cancelWithoutKey(this.#context, this.#batch);
      return 1;
    }
  }

  async #upload(capability: VendorBatchCapability, { content, requests, input }: EncodedRequests): Promise<Next> {
    if (requests === 0) return this.#end({ end: 'completed', results: [] });
    if (requests > capability.maxRequests) return this.#runLines('it has too many requests');
    this.#state = { ...this.#state, input }; // Recorded with the next state.
    const stored = { bytes: content.bytes, read: () => readStored(this.#context.files, content) };
    if (!capability.upload) return this.#submit(capability, { name: '', requests, content: stored });
    const upload = await capability.upload(this.#paramsOf(requests, stored), this.#signal);
    switch (upload.kind) {
      case 'refused':
        return this.#runLines(upload.reason);
      case 'postponed':
        return this.#retryDelay(upload);
      case 'uploaded':
        return this.#recorded({ ...this.#state, uploaded: { name: upload.name, requests } });
    }
  }

  #paramsOf(requests: number, content: VendorBatchContent): Omit<VendorBatchParams, 'uploaded'> {
    const { id: batchId, headers = {} } = this.#batch;
    return { batchId, model: this.#state.model, requests, content, headers };
  }

  async #submit(
    capability: VendorBatchCapability,
    { name, requests, content }: { name: string; requests: number; content: VendorBatchContent },
  ): Promise<Next> {
    const submittedAt = this.#context.now();
    const intent = await this.#record({ ...this.#state, stage: 'submitting', submittedAt });
    // A paused or closing batch is claimed again, and was not submitted.
    if (intent !== 'recorded') return intent === 'lost' ? 'ended' : 1;
    const submission = await capability.submit({ ...this.#paramsOf(requests, content), uploaded: name }, this.#signal);
    switch (submission.kind) {
      case 'accepted':
        this.#log('batch submitted to its vendor');
        return this.#recorded({ ...this.#state, stage: 'submitted', id: submission.id });
      case 'refused':
        return this.#runLines(submission.reason);
      case 'postponed':
        await this.#record({ ...this.#state, stage: 'prepare' });
        return this.#retryDelay(submission);
      case 'unclear':
        this.#warn('submission of a batch to its vendor unknown; it will be looked up', submission.reason);
        return this.#pollDelay();
    }
  }

  /** The submission was interrupted, or its response was lost. */
  async #find(capability: VendorBatchCapability | undefined): Promise<Next> {
    const { settings, now } = this.#context;
    const { submittedAt = 0 } = this.#state;
    const lost = { batchId: this.#batch.id, submittedAt };
    const found = await capability?.find(lost, this.#signal).catch((error: unknown) => this.#unclear(error));
    if (found?.kind === 'found') {
      this.#log('lost submission of a batch found at its vendor');
      return this.#recorded({ ...this.#state, stage: 'submitted', id: found.id });
    }
    if (found?.kind === 'missing') {
      const { missingSince } = this.#state;
      if (missingSince === undefined) return this.#recorded({ ...this.#state, missingSince: now() }, this.#pollDelay());
      if (now() - missingSince >= settings.lookUpMs) return this.#fail('the vendor does not list the batch');
    }
    return this.#isOverdue() ? this.#fail("the vendor's batches could not be searched") : this.#pollDelay();
  }

  async #poll(capability: VendorBatchCapability | undefined): Promise<Next> {
    const { id = '', isCancelled = false } = this.#state;
    if (this.#batch.closing && !isCancelled && capability && (await this.#cancel(capability, id))) {
      return this.#recorded({ ...this.#state, isCancelled: true });
    }
    const polled = await capability?.poll(id, this.#signal).catch((error: unknown) => this.#unclear(error));
    switch (polled?.kind) {
      case 'failed':
        return this.#batch.closing
          ? this.#end({ end: this.#batch.closing, results: [] })
          : this.#runLines(polled.reason);
      case 'ended':
        return this.#store(capability, polled);
      case 'running':
      case 'unclear':
      case undefined:
        return this.#isOverdue() ? this.#end({ end: 'lost', results: [] }) : this.#pollDelay();
    }
  }

  /** Returns whether the batch was canceled. Otherwise it is polled, and canceled later. */
  async #cancel(capability: VendorBatchCapability, id: string): Promise<boolean> {
    try {
      await capability.cancel(id, this.#signal);
      return true;
    } catch (error) {
      this.#unclear(error);
      return false;
    }
  }

  async #store(
    capability: VendorBatchCapability | undefined,
    { end, sources }: Extract<VendorPoll, { kind: 'ended' }>,
  ): Promise<Next> {
    if (!capability) throw new Error('an account without batches has no results');
    try {
      const { results, missing } = await storeResults(this.#context, this.#batch, capability, sources, this.#signal);
      if (missing.length > 0) this.#warn('results of a batch do not exist at its vendor', missing.join(', '));
      return await this.#recorded({ ...this.#state, stage: 'ended', end: missing.length > 0 ? 'lost' : end, results });
    } catch (error) {
      if (this.#signal.aborted || !this.#isOverdue()) throw error;
      return this.#end({ end: 'lost', results: [] });
    }
  }

  async #endWithResults(capability: VendorBatchCapability | undefined): Promise<Next> {
    const { end = 'lost', results = [] } = this.#state;
    if (!capability && !this.#isOverdue()) return MAX_POLL_MS;
    if (!capability) return this.#end({ end: 'lost', results: [] });
    try {
      await indexResults(this.#context, this.#job, capability, results);
    } catch (error) {
      if (!this.#isOverdue()) throw error;
      return this.#end({ end: 'lost', results: [] });
    }
    return this.#end({ end, results });
  }

  get #job(): { lease: Lease; batch: StoredBatch } {
    return { lease: this.#lease, batch: this.#batch };
  }

  /** The interval grows with the age of the batch. */
  #pollDelay(): number {
    const { now, settings } = this.#context;
    const ageMs = now() - (this.#state.submittedAt ?? 0);
    return Math.min(Math.max(ageMs / 10, settings.vendorPollMs), MAX_POLL_MS);
  }

  /** The vendor's delay, if it is not shorter than the interval of polls. */
  #retryDelay({ retryAfterMs = MAX_POLL_MS }: { retryAfterMs?: number | undefined }): number {
    return Math.max(retryAfterMs, this.#context.settings.vendorPollMs);
  }

  #isOverdue(): boolean {
    return isOverdue(this.#batch, this.#context.now());
  }

  async #record(state: VendorState): Promise<VendorRecord> {
    const { redis, keys } = this.#context;
    const { id, token } = this.#lease;
    const recorded = await redis.batchesSetVendor(keys.root, id, token, state.stage, JSON.stringify(state));
    if (recorded === 'recorded') this.#state = state;
    return recorded;
  }

  /** @param next the next step after the state is recorded */
  async #recorded(state: VendorState, next: Next = 0): Promise<Next> {
    return (await this.#record(state)) === 'recorded' ? next : 'ended';
  }

  /** Makes the segments available to workers, which record the results. */
  async #end(ended: { end: VendorBatchEnd | 'lost'; results: VendorState['results'] }): Promise<'ended'> {
    const state: VendorState = { ...this.#state, ...ended, stage: 'ended' };
    this.#log('batch ended at its vendor', { end: ended.end });
    return this.#endJob(
      state.stage,
      JSON.stringify(state),
      ended.end === 'expired' || ended.end === 'cancelled' ? ended.end : '',
    );
  }

  /** The vendor runs no request of the batch, so workers send its lines. */
  async #runLines(reason: string): Promise<'ended'> {
    this.#warn('the vendor cannot run the batch; workers send its lines', reason);
    return this.#endJob('', '', '');
  }

  async #endJob(stage: string, state: string, closing: string): Promise<'ended'> {
    const { redis, keys, now } = this.#context;
    const { id, token } = this.#lease;
    await redis.batchesEndVendor(keys.root, id, token, now(), stage, state, closing);
    return 'ended';
  }

  async #fail(reason: string): Promise<'ended'> {
    await failSubmission(this.#context, this.#job, reason);
    return 'ended';
  }

  #unclear(error: unknown): undefined {
    if (this.#signal.aborted) throw error;
    const { logger } = this.#context;
    logger.warn(
      { err: error, batch: this.#batch.id, account: this.#state.account },
      'vendor of a batch did not respond',
    );
  }

  #log(message: string, fields: object = {}): void {
    const { account, id: vendorBatch } = this.#state;
    this.#context.logger.info({ batch: this.#batch.id, account, vendorBatch, ...fields }, message);
  }

  #warn(message: string, reason: string): void {
    this.#context.logger.warn({ batch: this.#batch.id, account: this.#state.account, reason }, message);
  }
}
