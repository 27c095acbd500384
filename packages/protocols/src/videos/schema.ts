import { z } from 'zod';
import { TaskCallbackUrlSchema } from '../media/callback-url.ts';
import { ContentLinkSchema } from '../media/content-route.ts';
import { promptText } from '../media/fields.ts';
import { VideoSchema } from '../media/video-object.ts';

/** Body of `POST /v1/videos/{id}/remix`. */
export const RemixVideoSchema = z
  .looseObject(
    {
      prompt: promptText(undefined, 'is required: say what to change').meta({
        description: 'What the variation shows.',
        example: 'The same kite at night',
      }),
      callback_url: TaskCallbackUrlSchema,
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'RemixVideo' });

/** Query of `GET /v1/videos`. */
export const ListVideosSchema = z.object({
  after: z
    .string({ error: 'must be the id of a video' })
    .regex(/^[\w-]{1,64}$/, { error: 'must be the id of a video' })
    .optional()
    .meta({ description: 'Id of the last video of the page before.' }),
  limit: z.coerce
    .number({ error: 'must be a number from 1 to 100' })
    .int({ error: 'must be a whole number from 1 to 100' })
    .min(1, { error: 'must be a number from 1 to 100' })
    .max(100, { error: 'must be a number from 1 to 100' })
    .default(20)
    .meta({ description: 'Videos on the page.' }),
  order: z
    .enum(['asc', 'desc'], { error: 'must be asc or desc' })
    .default('desc')
    .meta({ description: 'By creation.' }),
});

/** Query of `GET /v1/videos/{id}/content`, for the documents. */
export const ContentQuerySchema = ContentLinkSchema.extend({
  variant: z.literal('video').optional().meta({ description: 'Only the video itself is kept; others are 404.' }),
});

/** The id of an event: the task's revision. */
export const RevisionSchema = z
  .string({ error: 'must be the id of an event' })
  .regex(/^\d{1,15}$/, { error: 'must be the id of an event' })
  .transform(Number);

/** Query of `GET /v1/videos/{id}/events`. */
export const FollowVideoSchema = z.object({
  after: RevisionSchema.optional().meta({
    description: 'Id of the last event that is known, for clients that cannot send `Last-Event-ID`.',
  }),
});

/** A page of videos. */
export const VideoPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(VideoSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'VideoPage' });

/** What a deletion answers. */
export const DeletedVideoSchema = z
  .object({ id: z.string(), object: z.literal('video.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedVideo' });
