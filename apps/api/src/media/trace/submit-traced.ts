import { GatewayError } from '@sluice/canonical';
import type { AdmittedTask, NewTask, TaskEngine } from '@sluice/tasks';
import type { RequestTrace } from '@sluice/telemetry';

/** Submits a task inside a span, which the task's record stores as the parent of the task's steps. */
export async function submitTraced(
  engine: Pick<TaskEngine, 'submit'>,
  task: NewTask,
  trace: RequestTrace | undefined,
): Promise<AdmittedTask> {
  if (!trace) return engine.submit(task);
  const { request, model, targets } = task;
  const span = trace.startTask({ kind: request.kind, model, upstream: targets[0]?.upstream ?? '' });
  const { context } = span;
  try {
    const admitted = await engine.submit({ ...task, ...(context !== undefined && { trace: context }) });
    const { task: created, replayed } = admitted;
    span.end({ id: created.id, ...(replayed && { isReplayed: true, earlier: created.trace }) });
    return admitted;
  } catch (error) {
    span.end({ error: error instanceof GatewayError ? error.code : 'internal_error' });
    throw error;
  }
}
