import type { Usage } from '@sluice/canonical';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PricedUse } from './price.ts';
import { sentTokens } from './sent-tokens.ts';

/** The charge for an admitted request. It is recorded once. */
export interface Charge {
  /** The maximum possible usage, as far as it is known. Reserved until the charge is recorded. */
  readonly max: PricedUse;
  upstreamCalled(): void;
  /** @param events complete events of a streamed response that were sent to the client */
  addSent(events: string): void;
  /**
   * The response was cut short, so its usage is incomplete.
   * @param isFinal whether the upstream itself reported the end
   */
  interrupted(isFinal?: boolean): void;
  /** Called if the upstream completes the response even after the client disconnects. */
  continuesUpstream(): void;
  /**
   * Turns off the automatic recording of usage at the end of the HTTP response. The caller must then call
   * {@link record} or {@link recordAborted}.
   */
  defer(): void;
  /** Records the usage that an upstream reported. @param usage if omitted, the reservation is charged */
  record(usage?: Usage): void;
  /**
   * Records the input of an upstream call that was aborted before its response, because vendors bill it. Records
   * nothing if there was no call.
   */
  recordAborted(): void;
  release(): void;
}

interface Progress {
  isCalled: boolean;
  isInterrupted: boolean;
  continuesUpstream: boolean;
  outputTokens: number;
}

/** @param record called once, after the response has ended; undefined means that nothing was used */
export function openCharge(
  request: FastifyRequest,
  reply: FastifyReply,
  { max, record }: { max: PricedUse; record: (use: PricedUse | undefined) => void },
): Charge {
  const progress: Progress = { isCalled: false, isInterrupted: false, continuesUpstream: false, outputTokens: 0 };
  let isDeferred = false;
  let isRecorded = false;
  const recordOnce = (use: PricedUse | undefined): void => {
    if (isRecorded) return;
    isRecorded = true;
    record(use);
  };
  const onClose = (): void => {
    if (!isDeferred) recordOnce(usedBy(request, reply, max, progress));
  };
  if (reply.raw.closed) queueMicrotask(onClose);
  else reply.raw.once('close', onClose);
  return {
    max,
    upstreamCalled: () => {
      progress.isCalled = true;
    },
    addSent: (events) => {
      progress.outputTokens += sentTokens(events);
    },
    interrupted: (isFinal = false) => {
      progress.isInterrupted = true;
      if (isFinal) progress.continuesUpstream = false;
    },
    continuesUpstream: () => {
      progress.continuesUpstream = true;
    },
    defer: () => {
      isDeferred = true;
    },
    record: (usage) => recordOnce(usage ? { ...max, usage } : max),
    recordAborted: () => recordOnce(progress.isCalled ? inputOf(max) : undefined),
    release: () => recordOnce(undefined),
  };
}

function inputOf(max: PricedUse): PricedUse {
  return { ...max, usage: { inputTokens: max.usage?.inputTokens ?? 0, outputTokens: 0 } };
}

/**
 * Returns the usage to charge: the usage that the upstream reported or, if there is none, the reservation. An
 * interrupted response is charged for its input and the output sent so far. A request that no upstream served is free,
 * unless it was aborted during a call.
 */
function usedBy(
  { served, isAborted }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
  max: PricedUse,
  { isCalled, isInterrupted, continuesUpstream, outputTokens }: Progress,
): PricedUse | undefined {
  const isCut = isAborted || !raw.writableFinished;
  if (!served) return isCut && isCalled && (isAborted || statusCode < 400) ? inputOf(max) : undefined;
  const reported = served.usage();
  const isComplete = continuesUpstream || (!isCut && !isInterrupted);
  if (isComplete && reported) return { ...max, usage: reported };
  if (continuesUpstream || (isComplete && outputTokens === 0)) return max;
  const inputTokens = reported?.inputTokens ?? max.usage?.inputTokens ?? 0;
  return {
    ...max,
    usage: { ...reported, inputTokens, outputTokens: Math.max(outputTokens, reported?.outputTokens ?? 0) },
  };
}
