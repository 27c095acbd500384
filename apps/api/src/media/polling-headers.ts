import { isFinal, type MediaTask } from '@sluice/canonical';
import type { TaskEngine } from '@sluice/tasks';
import type { FastifyReply } from 'fastify';

export function setPollingHeaders(engine: Pick<TaskEngine, 'pollAfterMs'>, reply: FastifyReply, task: MediaTask): void {
  if (isFinal(task.status)) return;
  const pollAfterMs = engine.pollAfterMs(task);
  void reply.header('retry-after', Math.max(1, Math.ceil(pollAfterMs / 1_000)));
  // The Python SDK's `videos.poll` reads this header. Without it, the SDK polls every second.
  void reply.header('openai-poll-after-ms', Math.ceil(pollAfterMs));
}
