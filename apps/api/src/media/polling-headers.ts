import { isFinal, type MediaTask } from '@sluice/canonical';
import type { FastifyReply } from 'fastify';
import type { MediaDeps } from './media-services.ts';

/** While a task is open, hints when to look again. */
export function setPollingHeaders({ engine }: Pick<MediaDeps, 'engine'>, reply: FastifyReply, task: MediaTask): void {
  if (isFinal(task.status)) return;
  const pollAfterMs = engine.pollAfterMs(task);
  void reply.header('retry-after', Math.max(1, Math.ceil(pollAfterMs / 1_000)));
  // Read by the published Python SDK's `videos.poll`; without it a client asks every second.
  void reply.header('openai-poll-after-ms', Math.ceil(pollAfterMs));
}
