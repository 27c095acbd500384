import { GatewayError, TASK_STATUSES } from '@sluice/canonical';
import { LabelsSchema, UserSchema } from '@sluice/protocols';
import { z } from 'zod';
import { downloadFile } from '../download-file.ts';
import { expectOwner, findTask } from './find-task.ts';
import { QUEUE_ENDPOINTS } from './queue-endpoints.ts';
import { showPage } from '../../schemas/pages.ts';
import { defineTaskEndpoint, type TaskEndpoint } from './task-endpoint.ts';
import { isQueuePaused, showTasks } from './show-tasks.ts';
import { encodeTask, encodeTaskDetails, TaskDetailsSchema, TaskPageSchema, TaskSchema } from './task-response.ts';

const promptParam = z.enum(['true', 'false']).default('false').describe('Whether the response includes the prompt.');

const ListSchema = z.strictObject({
  kind: z.enum(['video', 'image']).optional(),
  status: z
    .enum([...TASK_STATUSES, 'open'])
    .optional()
    .describe('An internal state, or `open` for all tasks that have not ended.'),
  model: z.string().optional(),
  key: z.string().optional().describe('Name of the API key that created the tasks. Only with the admin key.'),
  user: UserSchema.optional().describe('Only with your own key, or with `key`.'),
  labels: LabelsSchema.optional().meta({
    description: 'Labels that the tasks must have: `labels[project]=kites`. Only with your own key, or with `key`.',
    param: { style: 'deepObject', explode: true },
  }),
  remixed_from: z.string().optional().describe('Id of the original video.'),
  prompt: promptParam,
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of tasks in a page.'),
  after: z.string().optional().describe('`next` of the previous page.'),
});

const OPEN = TASK_STATUSES.filter((status) => !['completed', 'failed', 'canceled'].includes(status));

/** Tasks of both kinds, for the key that created them, and of all keys for the admin key. */
export const MEDIA_TASK_ENDPOINTS: readonly TaskEndpoint[] = [
  defineTaskEndpoint({
    method: 'GET',
    path: '/v1/tasks',
    operationId: 'listTasks',
    summary: "List this key's video and image tasks, or those of all keys with the admin key, newest first",
    query: ListSchema,
    response: { description: 'A page of tasks', content: { 'application/json': TaskPageSchema } },
    errors: ['store_unavailable'],
    serve: async ({ engine }, { owner, query: { key, status, prompt, remixed_from: remixedFrom, ...search } }) => {
      if (owner !== undefined && key !== undefined && key !== owner) {
        throw new GatewayError('invalid_request', 'key must be the name of your own key.', { param: 'key' });
      }
      const whose = owner ?? key;
      if (whose === undefined && (search.user ?? search.labels) !== undefined) {
        throw new GatewayError('invalid_request', 'key is required with user or labels.', { param: 'key' });
      }
      const { tasks, next } = await engine.browse({
        ...search,
        owner: whose,
        remixedFrom,
        statuses: status === undefined ? undefined : status === 'open' ? OPEN : [status],
        withPrompts: prompt === 'true',
      });
      const data = await showTasks(engine, tasks);
      return showPage(data, next);
    },
  }),
  defineTaskEndpoint({
    method: 'GET',
    path: '/v1/tasks/:task_id',
    operationId: 'retrieveTask',
    summary: 'Retrieve a video or image task with its timeline, request, and webhook deliveries',
    query: z.strictObject({ prompt: promptParam }),
    response: { description: 'The task', content: { 'application/json': TaskDetailsSchema } },
    errors: ['not_found', 'store_unavailable'],
    serve: async (deps, { owner, id, query: { prompt } }) => {
      const { ownerId } = await findTask(deps, owner, id);
      const [details, deliveries] = await Promise.all([
        deps.engine.operator.show(id),
        deps.webhooks.deliveriesOf(ownerId, id),
      ]);
      return encodeTaskDetails({
        details,
        deliveries,
        withPrompt: prompt === 'true',
        forOperator: owner === undefined,
        isQueuePaused: await isQueuePaused(deps.engine, details.task),
      });
    },
  }),
  defineTaskEndpoint({
    method: 'GET',
    path: '/v1/tasks/:task_id/content/:index',
    operationId: 'downloadTaskFile',
    summary: 'Download one file of a task by index, from 0; never redirects to the content store',
    response: { description: 'The file', content: { 'video/mp4': 'binary', 'image/png': 'binary' } },
    errors: ['not_found', 'video_not_ready', 'image_not_ready', 'content_expired', 'range_not_satisfiable'],
    serve: async (deps, { owner, id, request, reply }) => {
      const { kind } = await findTask(deps, owner, id);
      const whose = owner === undefined ? {} : { owner };
      const content = { ...deps.content };
      delete content.link;
      return downloadFile({ ...deps, content }, { kind, ...whose, request, reply });
    },
  }),
  ...QUEUE_ENDPOINTS,
  defineTaskEndpoint({
    method: 'POST',
    path: '/v1/tasks/:task_id/cancel',
    operationId: 'cancelTask',
    summary: 'Cancel an unfinished video or image task of this key',
    response: { description: 'The task', content: { 'application/json': TaskSchema } },
    errors: ['not_found', 'task_final', 'permission_denied', 'store_unavailable'],
    serve: async (deps, call) => {
      const owner = expectOwner(call, 'Use `POST /admin/v1/tasks/{id}/cancel`.');
      const { id } = call;
      await findTask(deps, owner, id);
      return encodeTask(await deps.engine.cancel(owner, id));
    },
  }),
];
