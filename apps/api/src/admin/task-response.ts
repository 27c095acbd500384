import { TASK_STATUSES } from '@sluice/canonical';
import { TIMELINE_EVENTS } from '@sluice/tasks';
import { z } from 'zod';

const seconds = (what: string) => z.int().describe(`${what}, Unix seconds.`);
const status = z.enum(TASK_STATUSES);

/** A task as operators see it. */
const TaskResponseSchema = z
  .object({
    object: z.literal('task'),
    id: z.string(),
    kind: z.enum(['video', 'image']),
    owner: z.string().describe('Name of the key that made it.'),
    status: status.describe('The inner state.'),
    revision: z.int().describe('Counts every change.'),
    progress: z.int(),
    model: z.string().describe('The model id that the client asked for.'),
    upstream: z.string(),
    upstream_model: z.string(),
    route: z.int().describe("Which of the model's routes, from 0."),
    attempt: z.int().describe('Submissions begun so far.'),
    upstream_job_id: z.string().optional().describe("The vendor's id of the job."),
    upstream_path: z.string().optional(),
    upstream_base_url: z.string().optional(),
    external_id: z.string().optional(),
    remixed_from: z.string().optional(),
    error: z.object({ code: z.string(), message: z.string() }).optional(),
    polls: z.int(),
    unclear_polls: z.int().describe('Poll answers in a row that made no sense.'),
    cancel_requested: z.boolean(),
    deleted: z.boolean(),
    created_at: seconds('When it was made'),
    submitted_at: seconds('When the current attempt began').optional(),
    accepted_at: seconds('When the vendor accepted it').optional(),
    polled_at: seconds('The last poll').optional(),
    due_at: seconds('The next step').optional(),
    deadline_at: seconds('When its present state must have ended'),
    ended_at: seconds('When it ended').optional(),
    expires_at: seconds('When it is removed').optional(),
  })
  .meta({ id: 'AdminTask' });

/** A page of tasks. */
export const TaskPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(TaskResponseSchema),
    has_more: z.boolean().describe('A page may be short, or empty, and yet have a next one.'),
    next: z.string().optional().describe('`after` of the next page.'),
  })
  .meta({ id: 'AdminTaskPage' });

const TimelineEntrySchema = z
  .object({
    at_ms: z.int().describe('Unix milliseconds.'),
    until_ms: z.int().optional().describe('With `count`: the last time.'),
    count: z.int().optional().describe('How often in a row with the same answer.'),
    revision: z.int(),
    what: z.enum(TIMELINE_EVENTS).optional(),
    outcome: z.string().optional().describe('How it went, in one word.'),
    status: status.describe('The state afterwards.'),
    progress: z.int(),
    attempt: z.int(),
    upstream: z.string(),
    route: z.int(),
    http_status: z.int().optional().describe("Of the vendor's last answer."),
    code: z.string().optional(),
    reason: z.string().optional(),
    by: z.string().optional().describe("An operator's name."),
    note: z.string().optional().describe("An operator's words."),
  })
  .meta({ id: 'AdminTimelineEntry' });

/** All that is kept of a task. */
export const TaskDossierSchema = TaskResponseSchema.extend({
  timeline: z.array(TimelineEntrySchema),
  request: z
    .looseObject({
      kind: z.enum(['video', 'image']),
      prompt: z.string().optional().describe('With `?prompt=true` alone.'),
      negative_prompt: z.string().optional(),
      images: z.array(
        z.object({
          role: z.string(),
          source: z.enum(['stored', 'url']),
          media_type: z.string().optional(),
          bytes: z.int().optional(),
        }),
      ),
      options: z.array(z.string()).optional().describe("Names of the vendor's own options that were sent."),
    })
    .describe('What the client asked for, without media and URLs.'),
}).meta({ id: 'AdminTaskDossier' });

/** A task after an operator's wish. */
export const TaskResultSchema = TaskResponseSchema.extend({
  changed: z.boolean().describe('False: it had been done before.'),
}).meta({ id: 'AdminTaskResult' });
