import { type MediaTask, splitAccount } from '@sluice/canonical';
import { NANOS_PER_USD } from '@sluice/limits';
import { encodeWebhookDelivery, optionsOf, WebhookDeliverySchema } from '@sluice/protocols';
import { showTaskDetails, type ShownTaskDetails } from '@sluice/tasks';
import type { Webhooks } from '@sluice/webhooks';
import { z } from 'zod';
import { pageSchema, SPARSE } from '../../schemas/pages.ts';
import { TASK_FIELDS, TIMELINE_ENTRY_FIELDS } from '../../schemas/task-fields.ts';
import { timeSchema, unixSeconds } from '../../schemas/times.ts';

const FileSchema = z.object({
  index: z.int().describe('Index of the file in `content/{index}`.'),
  media_type: z.string(),
  bytes: z.int(),
  width: z.int().optional(),
  height: z.int().optional(),
  duration_ms: z.int().optional(),
});

export const TaskSchema = z
  .object({
    ...TASK_FIELDS,
    key: z.string().describe('Name of the API key that created the task.'),
    seconds: z.string().optional().describe('Duration of a video.'),
    size: z.string().optional(),
    prompt: z.string().optional().describe('Only with `prompt=true`. Lists have its first 300 characters.'),
    queue_paused: z
      .literal(true)
      .optional()
      .describe('The task waits because its key has paused all its waiting tasks (`POST /v1/tasks/queue`).'),
    files: z.array(FileSchema),
    expires_at: timeSchema('Removal of the task and its files').optional(),
  })
  .meta({ id: 'Task' });

export const TaskPageSchema = pageSchema(TaskSchema, 'TaskPage', SPARSE);

const TimelineEntrySchema = z
  .object({
    ...TIMELINE_ENTRY_FIELDS,
    by: z.string().optional().describe('Name of the operator. Only for the admin key.'),
    note: z.string().optional().describe('Note of the operator. Only for the admin key.'),
  })
  .meta({ id: 'TaskTimelineEntry' });

export const TaskDetailsSchema = TaskSchema.extend({
  timeline: z.array(TimelineEntrySchema),
  request: z.record(z.string(), z.unknown()).describe("Parameters of the client's request, without media and URLs."),
  deliveries: z
    .array(WebhookDeliverySchema)
    .describe("Deliveries of the task's event to webhooks and to its callback."),
}).meta({ id: 'TaskDetails' });

/** Formats a task for its owner and for operators. @param isQueuePaused whether it waits for its key's queue */
export function encodeTask(task: MediaTask, isQueuePaused = false): z.output<typeof TaskSchema> {
  return {
    object: 'task',
    id: task.id,
    kind: task.kind,
    key: task.ownerId,
    status: task.status,
    progress: task.progress,
    model: task.model,
    ...splitAccount(task.upstream),
    upstream_model: task.upstreamModel,
    attempt: task.attempt,
    ...(task.seconds !== '' && { seconds: task.seconds }),
    ...(task.size !== undefined && { size: task.size }),
    ...(task.prompt !== undefined && { prompt: task.prompt }),
    ...(task.externalId !== undefined && { external_id: task.externalId }),
    ...optionsOf(task),
    ...(task.remixedFrom !== undefined && { remixed_from: task.remixedFrom }),
    ...(task.error && { error: task.error }),
    ...(task.costNanos !== undefined && { cost_usd: task.costNanos / NANOS_PER_USD }),
    ...(task.unpriced && { unpriced: task.unpriced }),
    ...(isQueuePaused && { queue_paused: true as const }),
    cancel_requested: task.cancelRequested,
    files: filesOf(task),
    created_at: unixSeconds(task.createdAt),
    ...(task.submittedAt !== undefined && { submitted_at: unixSeconds(task.submittedAt) }),
    ...(task.completedAt !== undefined && { ended_at: unixSeconds(task.completedAt) }),
    ...(task.expiresAt !== undefined && { expires_at: unixSeconds(task.expiresAt) }),
  };
}

interface Details {
  details: Parameters<typeof showTaskDetails>[0];
  deliveries: Awaited<ReturnType<Webhooks['deliveriesOf']>>;
  withPrompt: boolean;
  /** Whether the response has the entries and notes of operators. */
  forOperator: boolean;
  isQueuePaused: boolean;
}

export function encodeTaskDetails({ details, deliveries, withPrompt, forOperator, isQueuePaused }: Details) {
  const { timeline, request } = showTaskDetails(details, withPrompt);
  const { prompt } = details.request;
  return {
    ...encodeTask(withPrompt && prompt !== undefined ? { ...details.task, prompt } : details.task, isQueuePaused),
    timeline: timeline.map(withoutPosition).flatMap((entry) => (forOperator ? [entry] : withoutOperator(entry))),
    request,
    deliveries: deliveries.map((delivery) => encodeWebhookDelivery(delivery)),
  };
}

type ShownEntry = ReturnType<typeof withoutPosition>;

/** The revision and the index of the route are only for support, which uses the admin API. */
function withoutPosition({ revision: _revision, route: _route, ...entry }: ShownTaskDetails['timeline'][number]) {
  return entry;
}

/** Clients see that a task has ended, but not which operator ended it. */
function withoutOperator({ by: _by, note: _note, ...entry }: ShownEntry): Omit<ShownEntry, 'by' | 'note'>[] {
  if (entry.what !== 'operator') return [entry];
  return entry.status === 'failed' || entry.status === 'canceled' ? [{ ...entry, what: 'end' }] : [];
}

function filesOf({ status: state, outputs }: MediaTask): z.output<typeof FileSchema>[] {
  if (state !== 'completed') return [];
  return outputs.flatMap(({ content }, index) => {
    if (!content) return [];
    const { mediaType, bytes, video } = content;
    const facts = video && { width: video.width, height: video.height, duration_ms: video.durationMs };
    return [{ index, media_type: mediaType, bytes, ...facts }];
  });
}
