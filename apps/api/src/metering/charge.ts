import type { Usage } from '@sluice/canonical';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PricedUse } from './price.ts';
import { sentTokens } from './sent-tokens.ts';

/** What a request that was let in has to pay. It is paid once: after that, nothing changes it. */
export interface Charge {
  /** What may be used at most, as far as that is known: it is held until the fare is paid. */
  readonly max: PricedUse;
  /** Tells that an upstream is asked: from now on a client that leaves pays. */
  upstreamCalled(): void;
  /** Tells what has gone to the client of a streamed answer; whole events. */
  sent(events: string): void;
  /**
   * Tells that the answer broke off: what its upstream told of the cost before was not all.
   * @param isOver the upstream itself has said so, and makes no more of it
   */
  interrupted(isOver?: boolean): void;
  /** Tells that the upstream makes all of the answer, whether its client stays or leaves. */
  continuesUpstream(): void;
  /** Tells that the process stops and leaves the answer: it is paid as if its client had left. */
  leave(): void;
  /** Has the fare paid by one of the methods below instead of by what the request's own answer comes to. */
  defer(): void;
  /** Pays for what an upstream has served. @param usage as it told; absent: what was held */
  settle(usage?: Usage): void;
  /** Pays for what was asked of an upstream that was left before it answered, for vendors bill that; nothing if none was. */
  recordAborted(): void;
  /** Pays nothing. */
  release(): void;
}

/** What is known of how far a request came, beside what Fastify knows. */
interface Course {
  isAsked: boolean;
  isBroken: boolean;
  /** The process stops. */
  isLeft: boolean;
  /** The upstream goes on without the client. */
  goesOn: boolean;
  /** That went to the client of a stream. */
  outputTokens: number;
}

/**
 * Has a request paid once its answer is over, off the request's path.
 * @param pay called once; undefined: nothing was used
 */
export function openCharge(
  request: FastifyRequest,
  reply: FastifyReply,
  { max, pay }: { max: PricedUse; pay: (use: PricedUse | undefined) => void },
): Charge {
  const course: Course = { isAsked: false, isBroken: false, isLeft: false, goesOn: false, outputTokens: 0 };
  let isDeferred = false;
  let isPaid = false;
  const payOnce = (use: PricedUse | undefined): void => {
    if (isPaid) return;
    isPaid = true;
    pay(use);
  };
  const over = (): void => {
    if (!isDeferred) payOnce(usedBy(request, reply, max, course));
  };
  if (reply.raw.closed) queueMicrotask(over);
  else reply.raw.once('close', over);
  return {
    max,
    upstreamCalled: () => {
      course.isAsked = true;
    },
    sent: (events) => {
      course.outputTokens += sentTokens(events);
    },
    interrupted: (isOver = false) => {
      course.isBroken = true;
      if (isOver) course.goesOn = false;
    },
    continuesUpstream: () => {
      course.goesOn = true;
    },
    leave: () => {
      course.isLeft = true;
    },
    defer: () => {
      isDeferred = true;
    },
    settle: (usage) => payOnce(usage ? { ...max, usage } : max),
    recordAborted: () => payOnce(course.isAsked ? askedOf(max) : undefined),
    release: () => payOnce(undefined),
  };
}

/** What was asked, when nothing has come of it. */
function askedOf(max: PricedUse): PricedUse {
  return { ...max, usage: { inputTokens: max.usage?.inputTokens ?? 0, outputTokens: 0 } };
}

/**
 * What a request has used, by its answer: what the upstream told; what was held, where it told nothing. Of an answer that
 * broke off or was left, what was asked and what had come. Nothing, where no upstream has served the request, unless its
 * client, or the process, left while one was at it.
 */
function usedBy(
  { served }: FastifyRequest,
  { raw, statusCode }: FastifyReply,
  max: PricedUse,
  { isAsked, isBroken, isLeft, goesOn, outputTokens }: Course,
): PricedUse | undefined {
  const hasLeft = isLeft || !raw.writableFinished;
  if (!served) return hasLeft && isAsked && (isLeft || statusCode < 400) ? askedOf(max) : undefined;
  const told = served.usage();
  const isComplete = goesOn || (!hasLeft && !isBroken);
  if (isComplete && told) return { ...max, usage: told };
  if (goesOn || (isComplete && outputTokens === 0)) return max;
  const inputTokens = told?.inputTokens ?? max.usage?.inputTokens ?? 0;
  return { ...max, usage: { ...told, inputTokens, outputTokens: Math.max(outputTokens, told?.outputTokens ?? 0) } };
}
