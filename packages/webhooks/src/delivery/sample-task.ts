import type { MediaTask, WebhookEvent } from '@sluice/canonical';

/** The sample task's retention, which is long so that its content link is not expired. */
const RETENTION_MS = 7 * 86_400_000;

/** Creates a sample task for test events. @param at Unix milliseconds */
export function sampleTask(type: WebhookEvent, at: number): MediaTask {
  const kind = type.startsWith('image.') ? 'image' : 'video';
  const isCompleted = type.endsWith('.completed');
  return {
    id: `${kind}_test`,
    kind,
    ownerId: '',
    status: isCompleted ? 'completed' : 'failed',
    revision: 1,
    epoch: 0,
    model: 'test',
    progress: isCompleted ? 100 : 0,
    seconds: '4',
    size: '1280x720',
    createdAt: at,
    completedAt: at,
    expiresAt: at + RETENTION_MS,
    deadlineAt: at,
    ...(!isCompleted && { error: { code: 'provider_error', message: 'This is a test: no task has failed.' } }),
    outputs: isCompleted ? [{}] : [],
    upstream: '',
    route: 0,
    upstreamModel: '',
    attempt: 0,
    polls: 0,
    unclearPolls: 0,
    cancelRequested: false,
    deleted: false,
  };
}
