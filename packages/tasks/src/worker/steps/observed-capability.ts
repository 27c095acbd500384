import type {
  CancelOutcome,
  ContentOutcome,
  FindOutcome,
  MediaCapability,
  PollOutcome,
  SubmitOutcome,
  TaskStatus,
} from '@sluice/canonical';
import type { AttemptTrace } from '@sluice/telemetry';
import type { TaskRecord } from '../../store/task-record.ts';

/** The span of a step, which gets a child for each call. */
interface TracedCalls {
  startCall(call: string): AttemptTrace;
  endCall(call: AttemptTrace, outcome: { kind: string; result: string; bytes?: number }): void;
}

/** The fields of a task that a worker's metrics use. */
export type ObservedTask = Pick<
  TaskRecord,
  'model' | 'upstream' | 'ownerId' | 'kind' | 'error' | 'status' | 'costNanos'
>;

type TaskCall = 'submit' | 'poll' | 'download' | 'look_up' | 'cancel';

/** Observes calls to upstreams and the ends of tasks. The methods must not throw. */
export interface WorkerObserver {
  /** @param outcome `served`, or why the call failed: an error code or the kind of the outcome */
  called(task: ObservedTask, call: TaskCall, outcome: string, seconds: number): void;
  /** @param before the state that the task left */
  ended(task: ObservedTask, before: TaskStatus): void;
}

/** Wraps a capability, so that its calls for a task are reported to the observer and to the step's span. */
export function observedCapability(
  capability: MediaCapability,
  task: ObservedTask,
  observer: WorkerObserver | undefined,
  step?: TracedCalls,
): MediaCapability {
  async function observed<O extends Outcome>(
    call: TaskCall,
    start: (traceHeaders: AttemptTrace['headers']) => Promise<O>,
  ): Promise<O> {
    const startedAt = performance.now();
    const trace = step?.startCall(call);
    const outcome = await start(trace?.headers);
    const result = resultOf(outcome);
    observer?.called(task, call, result, (performance.now() - startedAt) / 1_000);
    if (!trace || !step) return outcome;
    if (outcome.kind === 'opened') return { ...outcome, body: tracedBody(outcome.body, step, trace) };
    step.endCall(trace, { kind: outcome.kind, result });
    return outcome;
  }
  return {
    baseUrl: capability.baseUrl,
    account: capability.account,
    review: (...args) => capability.review(...args),
    submit: (submission, ...args) =>
      observed('submit', (traceHeaders) =>
        capability.submit({ ...submission, ...(traceHeaders && { traceHeaders }) }, ...args),
      ),
    poll: (...args) => observed('poll', () => capability.poll(...args)),
    openContent: (...args) => observed('download', () => capability.openContent(...args)),
    ...(capability.jobPath && { jobPath: capability.jobPath.bind(capability) }),
    ...(capability.find && { find: observedMethod('look_up', capability.find.bind(capability)) }),
    ...(capability.cancel && { cancel: observedMethod('cancel', capability.cancel.bind(capability)) }),
  };

  function observedMethod<A extends unknown[], O extends Outcome>(call: TaskCall, method: (...args: A) => Promise<O>) {
    return (...args: A): Promise<O> => observed(call, () => method(...args));
  }
}

/** Ends the span of a download with the last byte of its body. */
async function* tracedBody(
  body: AsyncIterable<Uint8Array>,
  step: TracedCalls,
  trace: AttemptTrace,
): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  let result = 'aborted'; // Unless the body is read to its end.
  try {
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      yield chunk;
    }
    result = 'served';
  } catch (error) {
    result = 'provider_error';
    throw error;
  } finally {
    step.endCall(trace, { kind: 'opened', result, bytes });
  }
}

type Outcome = SubmitOutcome | PollOutcome | ContentOutcome | FindOutcome | CancelOutcome;

/** Outcomes of calls without a valid response. The report that a job has failed is a valid response. */
const FAILED: ReadonlySet<Outcome['kind']> = new Set([
  'rejected',
  'busy',
  'account',
  'unknown',
  'unclear',
  'expired',
  'denied',
  'refused',
]);

function resultOf(outcome: Outcome): string {
  if (!FAILED.has(outcome.kind)) return 'served';
  return 'code' in outcome && outcome.code !== undefined ? outcome.code : outcome.kind;
}
