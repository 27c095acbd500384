import { GROUP_STATUSES, type GroupItem } from '@sluice/canonical';
import type { OwnedGroup } from '@sluice/groups';
import { encodeGroup, GroupVideoSchema, VideoGroupSchema } from '@sluice/protocols';
import { showTask } from '@sluice/tasks';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { pageSchema, searchText, showPage, SPARSE } from '../schemas/pages.ts';
import { AdminTaskSchema } from './schemas/task-response.ts';

const AdminGroupSchema = VideoGroupSchema.extend({
  owner: z.string().describe('Name of the key that created the group.'),
}).meta({ id: 'AdminVideoGroup' });

export const AdminGroupPageSchema = pageSchema(AdminGroupSchema, 'AdminVideoGroupPage', SPARSE);

const AdminVideoSchema = GroupVideoSchema.omit({ fields: true, video: true })
  .extend({ task: AdminTaskSchema.nullable().describe('null: it is not created yet, or was deleted.') })
  .meta({ id: 'AdminGroupVideo' });

export const AdminGroupDetailsSchema = AdminGroupSchema.extend({
  videos: z.object({ object: z.literal('list'), data: z.array(AdminVideoSchema), has_more: z.boolean() }),
}).meta({ id: 'AdminVideoGroupDetails' });

const limit = (of: string) =>
  z.coerce.number().int().min(1).max(100).default(20).describe(`Maximum number of ${of} in a page.`);

const SearchSchema = z.strictObject({
  owner: searchText().describe('Name of the key that created the groups.'),
  status: z.enum(GROUP_STATUSES, { error: `must be one of ${GROUP_STATUSES.join(', ')}` }).optional(),
  limit: limit('groups'),
  after: z
    .string('must be sent once')
    .regex(/^group_\w{25}$/, 'must be `next` of the previous page')
    .optional()
    .describe('`next` of the previous page.'),
});

const DetailsSchema = z.strictObject({
  limit: limit('videos'),
  after: z.coerce.number().int().min(0).max(1_000).optional().describe('Index of the last video of the previous page.'),
});

const RetrySchema = z
  .strictObject({
    retry_unknown: z
      .boolean('must be true or false')
      .default(false)
      .describe(
        'Whether to retry videos that failed with `submission_unknown`. The vendor may have received them, so they can cost twice.',
      ),
  })
  .meta({ id: 'AdminVideoGroupRetry' });

const one = { status: 200, description: 'The group', schema: AdminGroupSchema };
const errors = ['batch_not_found', 'batch_conflict', 'store_unavailable'] as const;

/** Groups of videos of all keys. */
export const GROUP_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/groups',
    operationId: 'adminListVideoGroups',
    summary: 'Find groups of videos of all keys, newest first',
    query: SearchSchema,
    response: { status: 200, description: 'A page of groups', schema: AdminGroupPageSchema },
    errors: ['store_unavailable'],
    serve: async ({ groups }, { query }) => {
      const { groups: found, next } = await groups.search(query);
      return showPage(found.map(show), next);
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/groups/:id',
    operationId: 'adminRetrieveVideoGroup',
    summary: 'Retrieve a group of any key with a page of its videos',
    query: DetailsSchema,
    response: { status: 200, description: 'The group', schema: AdminGroupDetailsSchema },
    errors: ['batch_not_found', 'store_unavailable'],
    serve: async (deps, { params: { id = '' }, query: { after, limit: max } }) => {
      const group = await deps.groups.load(id);
      const { items, hasMore } = await deps.groups.items(id, after === undefined ? 0 : after + 1, max);
      const data = await Promise.all(items.map((item) => showVideo(deps, group.owner, item)));
      return { ...show(group), videos: { object: 'list', data, has_more: hasMore } };
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/groups/:id/cancel',
    role: 'operator',
    operationId: 'adminCancelVideoGroup',
    summary: 'Cancel all videos of a group of any key that have not ended',
    response: one,
    errors,
    serve: async ({ groups }, { params: { id = '' } }) => {
      const { owner } = await groups.load(id);
      return show({ ...(await groups.cancel(owner, id)), owner });
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/groups/:id/retry',
    role: 'operator',
    operationId: 'adminRetryVideoGroup',
    summary: 'Create the failed videos of a group of any key again',
    body: RetrySchema,
    response: one,
    errors: [...errors, 'rate_limited'],
    serve: async ({ groups }, { params: { id = '' }, body: { retry_unknown: retriesUnknown } }) => {
      const { owner } = await groups.load(id);
      return show({ ...(await groups.retry(owner, id, retriesUnknown)), owner });
    },
  }),
];

function show(group: OwnedGroup): z.output<typeof AdminGroupSchema> {
  return { ...encodeGroup(group), owner: group.owner };
}

/** The fields of the request can contain prompts, so they are only in the task. */
async function showVideo({ engine }: Pick<AdminDeps, 'engine'>, owner: string, item: GroupItem) {
  const { index, state, retries, taskId, previousTaskIds, error } = item;
  const task = taskId === undefined ? undefined : await engine.find(owner, taskId);
  return {
    index,
    state,
    retries,
    video_id: taskId ?? null,
    previous_video_ids: previousTaskIds,
    error: error ?? null,
    task: task ? showTask(task) : null,
  };
}
