import {
  type JobOutput,
  type PollOutcome,
  type TaskErrorCode,
  UPSTREAM_MESSAGES,
  unexpectedMessage,
} from '@sluice/canonical';

export type TaskState = 'running' | 'succeeded' | 'failed' | 'canceled';

export const COMMON_STATES: ReadonlyMap<string | undefined, TaskState> = new Map([
  ['queued', 'running'],
  ['running', 'running'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['cancelled', 'canceled'],
  ['expired', 'failed'],
]);
export const EXPIRED_TEXT = 'The upstream queued the task for too long. Retry the request.';

export interface PolledTask {
  /** Undefined if the vendor's status is undocumented. */
  state: TaskState | undefined;
  progress?: number;
  outputs?: JobOutput[];
  isEmpty?: boolean;
  failure?: { code: TaskErrorCode; text?: string };
  seconds?: string | number;
  size?: string;
  seed?: number;
}

/**
 * Returns a poll's outcome. A success without a file is a failure only if the vendor declares that there is no file,
 * because an invalid response proves nothing.
 * @param reason why the task failed, already sanitized
 */
export function taskOutcome(task: PolledTask, reason: string, delay: { retryAfterMs?: number } = {}): PollOutcome {
  switch (task.state) {
    case 'running':
      return { kind: 'running', progress: task.progress, ...delay };
    case 'succeeded': {
      const { outputs = [], seconds = 0, size, seed } = task;
      if (outputs.length > 0) {
        return {
          kind: 'succeeded',
          outputs,
          seconds: Number(seconds) > 0 ? String(seconds) : undefined,
          size,
          seed: Number.isSafeInteger(seed) ? seed : undefined,
        };
      }
      return task.isEmpty
        ? { kind: 'failed', code: 'provider_error', message: UPSTREAM_MESSAGES.noContent }
        : { kind: 'unclear', message: unexpectedMessage('a finished task without a file', 'poll'), ...delay };
    }
    case 'failed':
      return { kind: 'failed', code: task.failure?.code ?? 'provider_error', message: reason };
    case 'canceled':
      return { kind: 'failed', code: 'canceled', message: 'The task was canceled at the upstream.' };
    case undefined:
      return { kind: 'unclear', message: unexpectedMessage('an unknown status', 'poll'), ...delay };
  }
}

/** Formats a size as `WIDTHxHEIGHT`. Returns undefined unless both sides are positive integers. */
export function frameSize(width = 0, height = 0): string | undefined {
  const isSize = Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0;
  return isSize ? `${width}x${height}` : undefined;
}
