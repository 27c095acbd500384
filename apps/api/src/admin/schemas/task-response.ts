import { TASK_STATUSES } from '@sluice/canonical';
import { SHOWN_OPTIONS } from '@sluice/protocols';
import { TIMELINE_EVENTS } from '@sluice/tasks';
import { z } from 'zod';

const seconds = (what: string) => z.int().describe(`${what}, in Unix seconds.`);
const status = z.enum(TASK_STATUSES);

export const AdminTaskSchema = z
  .object({
    object: z.literal('task'),
    id: z.string(),
    kind: z.enum(['video', 'image']),
    owner: z.string().describe('Name of the key that created the task.'),
    status: status.describe('The internal state.'),
    revision: z.int().describe('Increases with every change.'),
    progress: z.int(),
    model: z.string().describe("The model id of the client's request."),
    upstream: z.string(),
    credential: z.string().optional().describe("The credential of the upstream's pool."),
    upstream_model: z.string(),
    route: z.int().describe('Index of the route of the model, from 0.'),
    attempt: z.int().describe('Number of submissions started.'),
    upstream_job_id: z.string().optional().describe("The vendor's id of the job."),
    upstream_path: z.string().optional(),
    upstream_base_url: z.string().optional(),
    external_id: z.string().optional(),
    ...SHOWN_OPTIONS,
    remixed_from: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    cost_usd: z.number().optional().describe('Cost of the ended task in US dollars, if its price is known.'),
    unpriced: z.literal(true).optional().describe('The ended task has a cost, but its price is unknown.'),
    waiting_reason: z
      .literal('storage_unavailable')
      .optional()
      .describe('Why the task waits. `storage_unavailable`: the content store cannot store or read its files.'),
    polls: z.int(),
    unclear_polls: z.int().describe('Number of consecutive polls with an invalid response.'),
    cancel_requested: z.boolean(),
    deleted: z.boolean(),
    created_at: seconds('Creation time'),
    submitted_at: seconds('Start of the current attempt').optional(),
    accepted_at: seconds('Time when the vendor accepted the task').optional(),
    polled_at: seconds('Last poll').optional(),
    due_at: seconds('Next step').optional(),
    deadline_at: seconds('Deadline of the current state'),
    ended_at: seconds('End of the task').optional(),
    expires_at: seconds('Removal of the task').optional(),
  })
  .meta({ id: 'AdminTask' });

export const TaskPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(AdminTaskSchema),
    has_more: z.boolean().describe('A page can be short or empty and still have a next page.'),
    next: z.string().optional().describe('`after` of the next page.'),
  })
  .meta({ id: 'AdminTaskPage' });

const TimelineEntrySchema = z
  .object({
    at_ms: z.int().describe('Unix milliseconds.'),
    until_ms: z.int().optional().describe('Last occurrence, if `count` is present.'),
    count: z.int().optional().describe('Number of consecutive steps with the same outcome.'),
    revision: z.int(),
    what: z.enum(TIMELINE_EVENTS).optional(),
    outcome: z.string().optional().describe('Result of the step.'),
    status: status.describe('The state after the step.'),
    progress: z.int(),
    attempt: z.int(),
    upstream: z.string(),
    credential: z.string().optional().describe("The credential of the upstream's pool."),
    route: z.int(),
    http_status: z.int().optional().describe("Status of the vendor's last response."),
    code: z.string().optional(),
    reason: z.string().optional(),
    by: z.string().optional().describe('Name of the operator.'),
    note: z.string().optional().describe('Note of the operator.'),
  })
  .meta({ id: 'AdminTimelineEntry' });

export const TaskDossierSchema = AdminTaskSchema.extend({
  timeline: z.array(TimelineEntrySchema),
  request: z
    .looseObject({
      kind: z.enum(['video', 'image']),
      prompt: z.string().optional().describe('Only with `?prompt=true`.'),
      negative_prompt: z.string().optional(),
      images: z.array(
        z.object({
          role: z.string(),
          source: z.enum(['stored', 'url']),
          media_type: z.string().optional(),
          bytes: z.int().optional(),
        }),
      ),
      options: z.array(z.string()).optional().describe('Names of the vendor options that were sent.'),
    })
    .describe("The client's request, without media and URLs."),
}).meta({ id: 'AdminTaskDossier' });

export const TaskResultSchema = AdminTaskSchema.extend({
  changed: z.boolean().describe('False: the action was already done.'),
}).meta({ id: 'AdminTaskResult' });
