import type { JobOutput, PollOutcome, TaskErrorCode } from '@sluice/canonical';

export type TaskState = 'running' | 'succeeded' | 'failed' | 'canceled';

export const COMMON_STATES: ReadonlyMap<string | undefined, TaskState> = new Map([
  ['queued', 'running'],
  ['running', 'running'],
  ['succeeded', 'succeeded'],
  ['failed', 'failed'],
  ['cancelled', 'canceled'],
  ['expired', 'failed'],
]);
export const EXPIRED_TEXT = 'The upstream queued the task for too long.';

export interface PolledTask {
  /** Undefined if the vendor does not document the status. */
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
 * Returns a poll's outcome. A success without a file is a failure only if the vendor says that there is none, because
 * an invalid response proves nothing.
 * @param reason why the task failed, sanitized
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
        ? { kind: 'failed', code: 'provider_error', message: 'The upstream finished without a file.' }
        : { kind: 'unclear', message: 'The upstream finished without returning a file.', ...delay };
    }
    case 'failed':
      return { kind: 'failed', code: task.failure?.code ?? 'provider_error', message: reason };
    case 'canceled':
      return { kind: 'failed', code: 'canceled', message: 'The job was canceled at the upstream.' };
    case undefined:
      return { kind: 'unclear', message: 'The upstream returned an unknown status.', ...delay };
  }
}

/** Formats `WIDTHxHEIGHT`; undefined unless both sides are positive integers. */
export function frameSize(width = 0, height = 0): string | undefined {
  const isSize = Number.isSafeInteger(width) && Number.isSafeInteger(height) && width > 0 && height > 0;
  return isSize ? `${width}x${height}` : undefined;
}
