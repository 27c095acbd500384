import type { Usage } from '@sluice/canonical';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PricedUse } from './price.ts';
import { sentTokens } from './sent-tokens.ts';

/** The charge of an admitted request, recorded once. */
export interface Charge {
  /** The maximum usage, as far as known; reserved until the charge is recorded. */
  readonly max: PricedUse;
  upstreamCalled(): void;
  /** @param events complete events of a streamed response that were sent to the client */
  addSent(events: string): void;
  /** The response broke off, so its usage is incomplete. @param isFinal the upstream itself reported the end */
  interrupted(isFinal?: boolean): void;
  /** The upstream completes the response even if the client disconnects. */
  continuesUpstream(): void;
  /** Leaves the recording to one of the methods below instead of the end of the HTTP response. */
  defer(): void;
  /** Records usage that an upstream has reported. @param usage absent: the reservation */
  record(usage?: Usage): void;
  /** Records the input of a call that was aborted before its response, since vendors bill it; nothing without a call. */
  recordAborted(): void;
  release(): void;
}

interface Progress {
  isCalled: boolean;
  isInterrupted: boolean;
  continuesUpstream: boolean;
  outputTokens: number;
}

/** @param record called once, when the response has ended; undefined: nothing was used */
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
 * Usage as reported by the upstream, else the reservation. An interrupted response counts its input and the output so
 * far. A request that no upstream has served is free, unless it was aborted during the call.
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
