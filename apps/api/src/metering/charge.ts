import type { Usage } from '@sluice/canonical';
import type { Admission } from '@sluice/limits';
import type { OpenCharge } from './reservation/open-charge.ts';
import type { PricedUse, PriceTarget } from '@sluice/prices';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { sentTokens } from './sent-tokens.ts';

export interface ChargeOptions {
  /** Returns the maximum possible usage, as far as it is known. Called at most once. */
  max: () => PricedUse;
  /** Whether the output tokens of a stream matter if it is cut short. */
  countsOutput: boolean;
  /** The client's protocol. */
  protocol: string | undefined;
  characters: number | undefined;
  /** How the request was admitted. Undefined if nothing was reserved. */
  admission: Admission | undefined;
  /** Called once, after the response has ended. @param use undefined if nothing was used */
  record: (use: PricedUse | undefined, charge: Charge) => void;
  /** Returns what a job needs to charge the request. */
  open: (charge: Charge) => OpenCharge;
  /** Called instead of `record` if a job charges the request. */
  handedOver: () => void;
}

export type CalledTarget = PriceTarget & { credential?: string | undefined };

/** The charge for an admitted request. It is recorded once. */
export class Charge {
  /** The last upstream that was called. */
  target: CalledTarget | undefined;
  readonly #request: FastifyRequest;
  readonly #reply: FastifyReply;
  readonly #options: ChargeOptions;
  #max: PricedUse | undefined;
  #isInterrupted = false;
  #continuesUpstream = false;
  #outputTokens = 0;
  #isDeferred = false;
  #isHandedOver = false;
  #isClosed = false;
  #isRecorded = false;

  constructor(request: FastifyRequest, reply: FastifyReply, options: ChargeOptions) {
    this.#request = request;
    this.#reply = reply;
    this.#options = options;
  }

  /** The maximum possible usage. For a key with limits, it is reserved until the charge is recorded. */
  get max(): PricedUse {
    return (this.#max ??= this.#options.max());
  }

  /** Another process needs it to record the usage, after {@link defer}. */
  get admission(): Admission | undefined {
    return this.#options.admission;
  }

  /** Called before the request's body is freed. Estimates its tokens unless the upstream has reported its usage. */
  bodyEnds(): void {
    if (this.target && !this.#request.served?.usage()) void this.max;
  }

  upstreamCalled(target: CalledTarget): void {
    this.target = target;
  }

  /** @param events complete events of a streamed response that were sent to the client */
  addSent(events: string): void {
    if (this.#options.countsOutput) this.#outputTokens += sentTokens(events, this.#options.protocol);
  }

  /**
   * The response was cut short, so its usage is incomplete.
   * @param isFinal whether the upstream itself reported the end
   */
  interrupted(isFinal = false): void {
    this.#isInterrupted = true;
    if (isFinal) this.#continuesUpstream = false;
  }

  /** Called if the upstream completes the response even after the client disconnects. */
  continuesUpstream(): void {
    this.#continuesUpstream = true;
  }

  /**
   * Turns off the automatic recording of usage at the end of the HTTP response. The caller must then call
   * {@link release}, or another process must record the usage.
   */
  defer(): void {
    this.#isDeferred = true;
  }

  /**
   * Leaves the charge to a job, which learns the usage later. Until the job is stored, {@link takeBack} undoes it.
   * @returns undefined if the request was charged or handed over before
   */
  handOver(): OpenCharge | undefined {
    if (this.#isRecorded || this.#isHandedOver) return undefined;
    this.#isHandedOver = true;
    return this.#options.open(this);
  }

  /** The job could not be stored. */
  takeBack(): void {
    this.#isHandedOver = false;
    if (this.#isClosed) this.responseClosed();
  }

  /** Called at the end of the HTTP response. */
  responseClosed(): void {
    this.#isClosed = true;
    if (this.#isHandedOver) this.#options.handedOver();
    else if (!this.#isDeferred) this.#recordOnce(this.#used());
  }

  release(): void {
    this.#recordOnce(undefined);
  }

  #recordOnce(use: PricedUse | undefined): void {
    if (this.#isRecorded) return;
    this.#isRecorded = true;
    this.#options.record(use, this);
  }

  /**
   * Returns the usage to charge: the usage that the upstream reported or, if there is none, the reservation. An
   * interrupted response is charged for its input and the output sent so far. A request that no upstream served is
   * free, unless it was aborted during a call.
   */
  #used(): PricedUse | undefined {
    const { served, isAborted } = this.#request;
    const { raw, statusCode } = this.#reply;
    const isCut = isAborted || !raw.writableFinished;
    if (!served) return isCut && this.target && (isAborted || statusCode < 400) ? this.#input() : undefined;
    const reported = served.usage();
    const isComplete = this.#continuesUpstream || (!isCut && !this.#isInterrupted);
    if (isComplete && reported) return this.#withUsage(reported);
    if (this.#continuesUpstream || (isComplete && this.#outputTokens === 0)) return this.max;
    const inputTokens = reported?.inputTokens ?? this.#maxInputTokens();
    const outputTokens = Math.max(this.#outputTokens, reported?.outputTokens ?? 0);
    return this.#withUsage({ ...reported, inputTokens, outputTokens });
  }

  #input(): PricedUse {
    return this.#withUsage({ inputTokens: this.#maxInputTokens(), outputTokens: 0 });
  }

  #maxInputTokens(): number {
    return this.max.usage?.inputTokens ?? 0;
  }

  #withUsage(usage: Usage): PricedUse {
    return { usage, characters: this.#options.characters };
  }
}
