import { GROUP_ITEM_STATES, GROUP_STATUSES, type GroupItemState, isGroupId } from '@sluice/canonical';
import { z } from 'zod';
import { CallbackUrlSchema } from '../media/callback-url.ts';
import { MaxCostSchema } from '../media/cost-controls.ts';
import { ModelSchema, promptText, SeedSchema } from '../media/fields.ts';
import { VideoSchema } from '../media/video-object.ts';

/** The configuration can only lower this limit (`video_groups.max_videos`). */
const MAX_VIDEOS = 1_000;

function listOf<T extends z.ZodType>(element: T) {
  const error = `must be an array of 1 to ${MAX_VIDEOS} elements`;
  return z.array(element, { error }).min(1, { error }).max(MAX_VIDEOS, { error }).optional();
}

/** The other fields are those of `POST /v1/videos`. */
export const CreateVideoGroupSchema = z
  .looseObject(
    {
      prompts: listOf(promptText()).meta({
        description: 'Sluice creates a video for each combination of a prompt, a model, and a seed.',
        example: ['A red kite over a lake', 'A red kite over a town'],
      }),
      models: listOf(ModelSchema).meta({ description: 'See `prompts`.' }),
      seeds: listOf(SeedSchema).meta({ description: 'See `prompts`.' }),
      requests: listOf(z.looseObject({}, { error: 'must be an object' })).meta({
        description:
          'Further videos, each with the fields of `POST /v1/videos`. Fields that are missing are those of the group.',
      }),
      max_cost_usd: MaxCostSchema.meta({
        description:
          'Maximum cost of all videos in US dollars. A group that may cost more, or whose cost is unknown, is refused.',
        example: 5,
      }),
      callback_url: CallbackUrlSchema.optional().meta({
        description: 'Receives one signed notification when all videos have ended, as webhooks do.',
      }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'CreateVideoGroup' });

export const RetryVideoGroupSchema = z
  .looseObject(
    {
      retry_unknown: z.boolean({ error: 'must be true or false' }).default(false).meta({
        description:
          'Whether to retry videos that failed with `submission_unknown`. The vendor may have received them, so they can cost twice.',
      }),
    },
    { error: 'body must be a JSON object' },
  )
  .meta({ id: 'RetryVideoGroup' });

/** A query contains only strings, but the API reference describes the number. */
function queryNumber(min: number, max: number) {
  const error = { error: `must be an integer from ${min} to ${max}` };
  return z.coerce.number(error).int(error).min(min, error).max(max, error);
}

const groupId = { error: 'must be the id of a group' };

export const ListVideoGroupsSchema = z.object({
  after: z
    .string(groupId)
    .refine(isGroupId, groupId)
    .optional()
    .meta({ description: 'Id of the last group of the previous page.' }),
  limit: queryNumber(1, 100).default(20).meta({ description: 'Number of groups on the page.' }),
});

export const VideoGroupQuerySchema = z.object({
  after: queryNumber(0, MAX_VIDEOS).optional().meta({ description: 'Index of the last video of the previous page.' }),
  limit: queryNumber(1, 100).default(20).meta({ description: 'Number of videos on the page.' }),
});

const usd = () => z.number().nullable();

// The cast is safe because the object has each state.
const STATE_COUNTS = Object.fromEntries(GROUP_ITEM_STATES.map((state) => [state, z.int()])) as Record<
  GroupItemState,
  z.ZodInt
>;

const GROUP_FIELDS = {
  id: z.string(),
  object: z.literal('video.group'),
  status: z.enum(GROUP_STATUSES).meta({
    description: '`completed` means that every video has ended, whatever its state.',
  }),
  created_at: z.int(),
  ended_at: z.int().nullable(),
  expires_at: z.int().nullable().meta({ description: 'When the record is deleted. null: the group has not ended.' }),
  counts: z
    .object({ total: z.int(), ...STATE_COUNTS })
    .meta({ description: 'How many videos are in each state. A worker updates it every few seconds.' }),
  estimated_cost_usd: usd().meta({ description: 'The maximum cost. null: a price is unknown.' }),
  max_cost_usd: usd(),
  cost_usd: z
    .number()
    .meta({ description: 'The cost of the videos that have ended, also of those that were retried.' }),
  unpriced: z.literal(true).optional().meta({ description: 'A video that has ended has an unknown price.' }),
};

export const VideoGroupSchema = z.object(GROUP_FIELDS).meta({ id: 'VideoGroup' });

export const GroupVideoSchema = z
  .object({
    index: z.int(),
    state: z.enum(GROUP_ITEM_STATES).meta({ description: '`pending`: the video is not created yet.' }),
    retries: z.int(),
    fields: z.record(z.string(), z.unknown()).meta({ description: 'The fields that differ from those of the group.' }),
    video_id: z.string().nullable(),
    previous_video_ids: z.array(z.string()).meta({ description: 'The failed videos that retries replaced.' }),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    video: VideoSchema.nullable(),
  })
  .meta({ id: 'GroupVideo' });

export const VideoGroupWithVideosSchema = z
  .object({
    ...GROUP_FIELDS,
    videos: z.object({ object: z.literal('list'), data: z.array(GroupVideoSchema), has_more: z.boolean() }),
  })
  .meta({ id: 'VideoGroupWithVideos' });

export const VideoGroupPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(VideoGroupSchema),
    first_id: z.string().nullable(),
    last_id: z.string().nullable(),
    has_more: z.boolean(),
  })
  .meta({ id: 'VideoGroupPage' });

export const VideoGroupEstimateSchema = z
  .object({
    object: z.literal('video.group.estimate'),
    videos: z.int(),
    cost_usd: usd().meta({ description: 'The maximum cost of all videos. null: a price is unknown.' }),
    remaining_budget_usd: z.number().optional().meta({ description: 'Only for a key with a budget.' }),
    exceeds: z
      .array(z.enum(['budget', 'max_cost_usd']))
      .meta({ description: 'The limits that would refuse the group.' }),
  })
  .meta({ id: 'VideoGroupEstimate' });

export const DeletedVideoGroupSchema = z
  .object({ id: z.string(), object: z.literal('video.group.deleted'), deleted: z.literal(true) })
  .meta({ id: 'DeletedVideoGroup' });
