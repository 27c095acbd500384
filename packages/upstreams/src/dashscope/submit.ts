import type { SubmitOutcome } from '@sluice/canonical';
import type { UpstreamAnswer } from '../http/fetch-upstream.ts';
import { madeOutcome } from '../media/made-outcome.ts';
import { refusedSubmission } from '../media/verdict.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { isGood, said, verdictOf } from './errors.ts';
import { type DashscopeAnswer, imagesOf, readDashscope } from './wire.ts';

/** Below the base URL: every service that makes media. */
export const SERVICES = '/api/v1/services/aigc';

/** Tells the vendor to make a task of a call. Without it: "current user api does not support synchronous calls". */
export const AS_TASK = { 'x-dashscope-async': 'enable' } as const;

/** Reads the answer to a call that makes a task. */
export function readTaskSubmission(
  answer: UpstreamAnswer,
  seconds: string | undefined,
  tools: WireTools,
): SubmitOutcome {
  const read = readDashscope(answer.body);
  if (!isGood(answer.status, read)) return refused(answer, read, tools);
  const upstreamId = read.output?.task_id;
  if (upstreamId === undefined) return { kind: 'unknown', message: 'The upstream answered success without an id' };
  return { kind: 'accepted', upstreamId, ...(seconds !== undefined && { seconds }), ...tools.later(answer) };
}

/** Reads the answer to a call that makes images at once. */
export function readMadeImages(answer: UpstreamAnswer, tools: WireTools): SubmitOutcome {
  const read = readDashscope(answer.body);
  if (!isGood(answer.status, read)) {
    // The model was at work: of a call that only makes a task it says that none was made.
    return /^ModelServingError/i.test(read.code ?? '')
      ? { kind: 'unknown', message: `The upstream answered ${said(answer.status, read)}` }
      : refused(answer, read, tools);
  }
  // Nothing that looks like the vendor's answer: the images may have been made all the same.
  if (!read.output?.choices) return { kind: 'unknown', message: 'The upstream answered success without images' };
  return madeOutcome(imagesOf(read).map((url) => ({ url })));
}

function refused(answer: UpstreamAnswer, read: DashscopeAnswer, tools: WireTools): SubmitOutcome {
  const reason = tools.reason(read.message, `The upstream answered ${said(answer.status, read)}`);
  return refusedSubmission(verdictOf(answer.status, read.code), reason, tools.later(answer));
}
