import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BatchLine, BatchLineErrorCode } from '@sluice/canonical';
import { modelOf } from '../input/check-line.ts';
import { parseSegment, type Segment } from '../input/segments.ts';
import type { RawLine } from '../input/split-lines.ts';
import type { StoredBatch } from '../store/batch-record.ts';
import { positionsWith } from '../store/line-fields.ts';
import { cancelWithoutKey } from './cancel-without-key.ts';
import type { ClaimedJob, Lease } from './leases.ts';
import { errorResult, type LineName, responseResult, usageArgs } from './line-result.ts';
import { parseLine, readLines } from './read-lines.ts';
import { type SentLine, sendLine } from './send-line.ts';
import type { Slot, SlotPool } from './slot-pool.ts';
import type { LineKind, LineUse, WorkerContext } from './worker-context.ts';

/** Why a segment was not completed. */
export type RunEnd = 'done' | 'paused' | 'lost' | 'stopping' | 'failed';

const NOT_CALLED = { result: 'none' } as const;
/** A line whose outcome is unknown is repeated at most this often in one run, if the batch allows it. */
const MAX_REPEATS = 3;
const REPEAT_MS = 1_000;

interface LineRun {
  /** Undefined while a line that was refused waits for another slot. */
  line: BatchLine | undefined;
  customId: string;
  model: string | undefined;
  number: number;
  /** The position in the segment. */
  index: number;
  /** The byte range in the input. `end` is the byte after the line. */
  start: number;
  end: number;
  repeats: number;
}

/**
 * Runs the lines of a segment that have no result. Several lines are in flight, but only one other is in memory. A refused
 * line is read again when it has a slot, so that lines of a key that waits for its rate limit are not in memory.
 */
export class SegmentRun {
  readonly batch: StoredBatch;
  readonly #context: WorkerContext;
  readonly #lease: Lease;
  readonly #segment: Segment;
  readonly #onShort: () => void;
  readonly #inFlight = new Set<Promise<void>>();
  readonly #ending = new AbortController();
  readonly #waits: AbortSignal;
  #end: RunEnd = 'done';
  #left: number;
  /** The number of refused lines that wait for another slot. */
  #refused = 0;

  constructor(context: WorkerContext, { lease, batch, segment }: ClaimedJob, onShort: () => void) {
    this.#context = context;
    this.#lease = lease;
    this.batch = batch;
    this.#segment = parseSegment(segment);
    this.#onShort = onShort;
    this.#left = this.#segment.lines;
    // A line that waits for a slot is woken if the batch closes, because it needs none then.
    this.#waits = AbortSignal.any([this.#ending.signal, lease.closing, lease.lost, context.stopping]);
  }

  /** The number of lines that have not been started, or that start again. */
  get left(): number {
    return this.#left + this.#refused;
  }

  async run(): Promise<RunEnd> {
    const { redis, keys } = this.#context;
    const { first, lines } = this.#segment;
    const fields = await redis.hkeys(keys.lines(this.#lease.id, this.#lease.job));
    const done = new Set(positionsWith('result', fields));
    try {
      for await (const line of readLines(this.#context, this.batch, this.#segment)) {
        const index = line.number - first;
        if (!done.has(index)) await this.#start(line);
        this.#left = lines - index - 1;
        if (this.#left === this.#context.poolOf(this.batch.model).limit - 1) this.#onShort();
        if (this.#hasEnded()) break;
      }
    } finally {
      // Also if the input cannot be read further, because no other worker may have the segment before its lines end.
      await Promise.all(this.#inFlight);
    }
    return this.#hasEnded() ? this.#endOr('stopping') : 'done';
  }

  /** Records that the remaining lines cannot be sent, because their input does not exist any more. */
  async failAll(): Promise<void> {
    const { first, lines } = this.#segment;
    for (let index = 0; index < lines; index += 1) {
      const name = { batchId: this.batch.id, number: first + index, customId: '' };
      await this.#finish(index, '', 'failed', errorResult(name, 'request_failed'));
    }
  }

  #hasEnded(): boolean {
    return this.#end !== 'done' || this.#lease.lost.aborted || this.#context.stopping.aborted;
  }

  #endOr(end: RunEnd): RunEnd {
    if (this.#lease.lost.aborted) return 'lost';
    return this.#end === 'done' ? end : this.#end;
  }

  #stop(end: RunEnd): void {
    this.#end = end;
    this.#ending.abort(new Error('the segment ends'));
  }

  /** Resolves when the line is in flight. Lines take a slot before memory, so that only lines in flight occupy it. */
  async #start({ bytes, number, start, end }: RawLine): Promise<void> {
    const { memory, logger } = this.#context;
    const line = parseLine(bytes);
    const run = {
      line,
      customId: line.custom_id,
      model: modelOf(line),
      number,
      index: number - this.#segment.first,
      start,
      end,
      repeats: 0,
    };
    const slot = await this.#acquire(run);
    await memory.take(end - start);
    const running = this.#runLine(run, slot)
      .catch((error: unknown) => {
        const { id, job } = this.#lease;
        logger.warn({ err: error, batch: id, segment: job }, 'batch line could not be recorded');
        this.#stop('failed');
      })
      .finally(() => this.#inFlight.delete(running));
    this.#inFlight.add(running);
  }

  /** Reads a line again. */
  async #read({ number, start, end }: LineRun): Promise<BatchLine> {
    const range = { start, end, first: number, lines: 1 };
    for await (const { bytes } of readLines(this.#context, this.batch, range)) return parseLine(bytes);
    throw new Error('a line of a valid input does not exist');
  }

  #poolOf({ model }: LineRun): SlotPool {
    return this.#context.poolOf(model);
  }

  /** Returns undefined if the batch closes, so that the line needs no slot. */
  async #acquire(run: LineRun): Promise<Slot | undefined | 'ended'> {
    if (this.#lease.closing.aborted) return undefined;
    try {
      return await this.#poolOf(run).acquire(this.batch.owner, this.#waits);
    } catch {
      return this.#hasEnded() ? 'ended' : undefined;
    }
  }

  /** The caller has taken the memory of the line. */
  async #runLine(run: LineRun, first: Slot | undefined | 'ended'): Promise<void> {
    const { memory } = this.#context;
    const bytes = run.end - run.start;
    let slot = first;
    for (;;) {
      try {
        if (slot === 'ended' || (await this.#attempt(run, slot))) return;
      } finally {
        run.line = undefined;
        memory.release(bytes);
        if (slot !== 'ended') slot?.end(NOT_CALLED);
      }
      this.#refused += 1;
      slot = await this.#acquire(run);
      this.#refused -= 1;
      await memory.take(bytes);
    }
  }

  /** @returns whether the line is done with, or must not be started now */
  async #attempt(run: LineRun, slot: Slot | undefined): Promise<boolean> {
    const { redis, keys } = this.#context;
    const { id, job, token } = this.#lease;
    const line = (run.line ??= await this.#read(run));
    const attempt = randomUUID();
    const begun = await redis.batchesBeginLine(keys.root, id, job, token, run.index, attempt);
    switch (begun) {
      case 'begun':
        break;
      case 'done':
        return true;
      case 'lost':
      case 'paused':
        this.#stop(begun);
        return true;
      case 'unknown':
        return this.#fail(run, '', 'failed', 'outcome_unknown');
      case 'expired':
        return this.#fail(run, '', 'expired', 'batch_expired');
      case 'cancelled':
        return this.#fail(run, '', 'cancelled', 'batch_cancelled');
    }
    const sent = await sendLine(this.#context, this.batch, line, run.number);
    if ('slot' in sent) slot?.end(sent.slot);
    return this.#record(run, attempt, sent);
  }

  async #record(run: LineRun, attempt: string, sent: SentLine): Promise<boolean> {
    switch (sent.outcome) {
      case 'response': {
        const kind = sent.status < 400 ? 'completed' : 'failed';
        // First, so that the ledger has the usage of each line with a result, also after a crash.
        const use = await sent.recorded();
        await this.#finish(run.index, attempt, kind, responseResult(this.#nameOf(run), sent), use);
        return true;
      }
      case 'refused':
        await this.#revoke(run, attempt);
        if (sent.ownerMs > 0) this.#poolOf(run).pauseOwner(this.batch.owner, sent.ownerMs);
        return false;
      case 'no_key':
        await this.#revoke(run, attempt);
        await cancelWithoutKey(this.#context, this.batch);
        return false;
      case 'aborted':
        return true;
      case 'unknown': {
        const { id } = this.#lease;
        this.#context.logger.warn({ err: sent.error, batch: id, line: run.number }, 'outcome of a batch line unknown');
        if (!this.batch.retryUnknown || run.repeats === MAX_REPEATS) {
          return this.#fail(run, attempt, 'failed', 'outcome_unknown');
        }
        run.repeats += 1;
        await this.#revoke(run, attempt);
        await sleep(REPEAT_MS * run.repeats, undefined, { signal: this.#waits }).catch(() => undefined);
        return false;
      }
    }
  }

  async #fail(run: LineRun, attempt: string, kind: LineKind, code: BatchLineErrorCode): Promise<true> {
    await this.#finish(run.index, attempt, kind, errorResult(this.#nameOf(run), code));
    return true;
  }

  async #finish(index: number, attempt: string, kind: LineKind, result: string, use?: LineUse): Promise<void> {
    const { redis, keys, observer } = this.#context;
    const { id, job, token } = this.#lease;
    const args = [id, job, token, index, attempt, kind, result, '', ...usageArgs(use)];
    if ((await redis.batchesFinishLine(keys.root, ...args)) === 1) observer?.lineEnded(kind);
  }

  async #revoke({ index }: LineRun, attempt: string): Promise<void> {
    const { redis, keys } = this.#context;
    await redis.batchesRevokeLine(keys.root, this.#lease.id, this.#lease.job, index, attempt);
  }

  #nameOf({ customId, number }: LineRun): LineName {
    return { batchId: this.batch.id, number, customId };
  }
}
