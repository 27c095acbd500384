import { z } from 'zod';
import { pageSchema, SPARSE } from '../../schemas/pages.ts';
import { TASK_FIELDS, TIMELINE_ENTRY_FIELDS } from '../../schemas/task-fields.ts';
import { timeSchema } from '../../schemas/times.ts';

export const AdminTaskSchema = z
  .object({
    ...TASK_FIELDS,
    owner: z.string().describe('Name of the key that created the task.'),
    revision: z.int().describe('Increases with every change.'),
    route: z.int().describe('Index of the route of the model, from 0.'),
    upstream_job_id: z.string().optional().describe("The vendor's id of the job."),
    upstream_path: z.string().optional(),
    upstream_base_url: z.string().optional(),
    waiting_reason: z
      .literal('storage_unavailable')
      .optional()
      .describe('Why the task waits. `storage_unavailable`: the content store cannot store or read its files.'),
    polls: z.int(),
    unclear_polls: z.int().describe('Number of consecutive polls with an invalid response.'),
    deleted: z.boolean(),
    accepted_at: timeSchema('Time when the vendor accepted the task').optional(),
    polled_at: timeSchema('Last poll').optional(),
    due_at: timeSchema('Next step').optional(),
    deadline_at: timeSchema('Deadline of the current state'),
    expires_at: timeSchema('Removal of the task').optional(),
  })
  .meta({ id: 'AdminTask' });

export const TaskPageSchema = pageSchema(AdminTaskSchema, 'AdminTaskPage', SPARSE);

const TimelineEntrySchema = z
  .object({
    ...TIMELINE_ENTRY_FIELDS,
    what: TIMELINE_ENTRY_FIELDS.what.optional(),
    revision: z.int(),
    route: z.int(),
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
