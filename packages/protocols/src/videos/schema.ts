import { z } from 'zod';
import { TaskCallbackUrlSchema } from '../media/callback-url.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { LabelsSchema, TASK_OPTION_FIELDS, UserSchema } from '../media/task-options.ts';
import { ContentLinkSchema } from '../media/content-route.ts';
import { promptText } from '../media/fields.ts';
import { VideoSchema } from '../media/video-object.ts';

export const RemixVideoSchema = z
  .looseObject(
    {
      prompt: promptText().meta({
        description: 'Description of the variation.',
        example: 'The same kite at night',
      }),
      callback_url: TaskCallbackUrlSchema,
      max_cost_usd: MaxCostSchema,
      ...TASK_OPTION_FIELDS,
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'RemixVideo' });

const notLimit = { error: 'must be an integer from 1 to 100' };

export const ListVideosSchema = z.object({
  after: z
    .string({ error: 'must be the id of a video' })
    .regex(/^[\w-]{1,64}$/, { error: 'must be the id of a video' })
    .optional()
    .meta({ description: 'Id of the last video of the previous page.' }),
  limit: z.coerce
    .number(notLimit)
    .int(notLimit)
    .min(1, notLimit)
    .max(100, notLimit)
    .default(20)
    .meta({ description: 'Number of videos on the page.' }),
  order: z
    .enum(['asc', 'desc'], { error: 'must be asc or desc' })
    .default('desc')
    .meta({ description: 'By creation time.' }),
  status: z
    .enum(['queued', 'in_progress', 'completed', 'failed'], {
      error: 'must be queued, in_progress, completed, or failed',
    })
    .optional(),
  user: UserSchema.optional().meta({ description: 'Only videos that were created with this `user`.' }),
  labels: LabelsSchema.optional().meta({
    description: 'Only videos with all of these labels: `labels[project]=kites`.',
    param: { style: 'deepObject', explode: true },
  }),
});

/** Query of `GET /v1/videos/{id}/content`, for the API reference. */
export const ContentQuerySchema = ContentLinkSchema.extend({
  variant: z.literal('video').optional().meta({ description: 'Only the video itself is stored; others return 404.' }),
});

/** An event's id, which is the task's revision. */
export const RevisionSchema = z
  .string({ error: 'must be the id of an event' })
  .regex(/^\d{1,15}$/, { error: 'must be the id of an event' })
  .transform(Number);

export const FollowVideoSchema = z.object({
  after: RevisionSchema.optional().meta({
    description: 'Id of the last received event, for clients that cannot send `Last-Event-ID`.',
  }),
});

export const VideoPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(VideoSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'VideoPage' });

export const DeletedVideoSchema = z
  .object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedVideo' });
