import { type MediaTask, splitAccount, TASK_STATUSES } from '@sluice/canonical';
import { NANOS_PER_USD } from '@sluice/limits';
import { encodeWebhookDelivery, optionsOf, SHOWN_OPTIONS, WebhookDeliverySchema } from '@sluice/protocols';
import { showTaskDetails, TIMELINE_EVENTS, type ShownTaskDetails } from '@sluice/tasks';
import type { Webhooks } from '@sluice/webhooks';
import { z } from 'zod';

const seconds = (what: string) => z.int().describe(`${what}, in Unix seconds.`);
const status = z.enum(TASK_STATUSES);

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
    object: z.literal('task'),
    id: z.string(),
    kind: z.enum(['video', 'image']),
    key: z.string().describe('Name of the API key that created the task.'),
    status: status.describe('The internal state.'),
    progress: z.int().describe('Percentage.'),
    model: z.string(),
    upstream: z.string(),
    credential: z.string().optional().describe("The credential of the upstream's pool."),
    upstream_model: z.string(),
    attempt: z.int().describe('Number of submissions started.'),
    seconds: z.string().optional().describe('Duration of a video.'),
    size: z.string().optional(),
    prompt: z.string().optional().describe('Only with `prompt=true`. Lists have its first 300 characters.'),
    external_id: z.string().optional(),
    ...SHOWN_OPTIONS,
    remixed_from: z.string().optional().describe('Id of the original video.'),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    cost_usd: z.number().optional().describe('Cost of the ended task in US dollars, if its price is known.'),
    unpriced: z.literal(true).optional().describe('The ended task has a cost, but its price is unknown.'),
    queue_paused: z
      .literal(true)
      .optional()
      .describe('The task waits because its key has paused all its waiting tasks (`POST /v1/tasks/queue`).'),
    cancel_requested: z.boolean(),
    files: z.array(FileSchema),
    created_at: seconds('Creation time'),
    submitted_at: seconds('Start of the current attempt').optional(),
    ended_at: seconds('End of the task').optional(),
    expires_at: seconds('Removal of the task and its files').optional(),
  })
  .meta({ id: 'Task' });

export const TaskPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(TaskSchema),
    has_more: z.boolean().describe('A page can be short or empty and still have a next page.'),
    next: z.string().optional().describe('`after` of the next page.'),
  })
  .meta({ id: 'TaskPage' });

const TimelineEntrySchema = z
  .object({
    at_ms: z.int().describe('Unix milliseconds.'),
    until_ms: z.int().optional().describe('Last occurrence, if `count` is present.'),
    count: z.int().optional().describe('Number of consecutive steps with the same outcome.'),
    what: z.enum(TIMELINE_EVENTS),
    outcome: z.string().optional().describe('Result of the step.'),
    status: status.describe('The state after the step.'),
    progress: z.int(),
    attempt: z.int(),
    upstream: z.string(),
    credential: z.string().optional().describe("The credential of the upstream's pool."),
    http_status: z.int().optional().describe("Status of the vendor's last response."),
    code: z.string().optional(),
    reason: z.string().optional(),
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

function unixSeconds(ms: number): number {
  return Math.floor(ms / 1_000);
}
