import { PrioritySchema } from '@sluice/protocols';
import { z } from 'zod';
import { expectOwner, findTask } from './find-task.ts';
import { defineTaskEndpoint, type TaskEndpoint } from './task-endpoint.ts';
import { isQueuePaused } from './show-tasks.ts';
import { encodeTask, TaskSchema } from './task-response.ts';

const PausedSchema = z.boolean({ error: 'must be true or false' });

const ChangeTaskSchema = z
  .strictObject({
    paused: PausedSchema.optional().describe('Whether the task waits until it is resumed. Its deadline still applies.'),
    priority: PrioritySchema.optional().describe(
      "A task with a higher number is submitted before the key's other waiting tasks.",
    ),
  })
  .refine(({ paused, priority }) => paused !== undefined || priority !== undefined, {
    error: 'must contain paused or priority',
  })
  .meta({ id: 'ChangeTask' });

const ChangeQueueSchema = z
  .strictObject({
    paused: PausedSchema.describe('Whether all waiting tasks of the key, and those that follow, wait.'),
  })
  .meta({ id: 'ChangeTaskQueue' });

const QueueSchema = z
  .object({ object: z.literal('task_queue'), key: z.string().describe('Name of the API key.'), paused: z.boolean() })
  .meta({ id: 'TaskQueue' });

const queue = { description: 'The queue of the key', content: { 'application/json': QueueSchema } };
const remedy = 'Send the key that created the tasks.';

/** The order of a key's waiting tasks. */
export const QUEUE_ENDPOINTS: readonly TaskEndpoint[] = [
  defineTaskEndpoint({
    method: 'POST',
    path: '/v1/tasks/:task_id',
    operationId: 'changeTask',
    summary: 'Pause or resume a waiting video or image task of this key, or change its priority',
    body: ChangeTaskSchema,
    response: { description: 'The task', content: { 'application/json': TaskSchema } },
    errors: ['not_found', 'task_conflict', 'permission_denied', 'store_unavailable'],
    serve: async (deps, call) => {
      const owner = expectOwner(call, remedy);
      await findTask(deps, owner, call.id);
      const task = await deps.engine.change(owner, call.id, call.body);
      return encodeTask(task, await isQueuePaused(deps.engine, task));
    },
  }),
  defineTaskEndpoint({
    method: 'GET',
    path: '/v1/tasks/queue',
    operationId: 'retrieveTaskQueue',
    summary: "Retrieve whether this key's waiting tasks are paused",
    response: queue,
    errors: ['permission_denied', 'store_unavailable'],
    serve: async ({ engine }, call) => {
      const key = expectOwner(call, remedy);
      return { object: 'task_queue', key, paused: await engine.isOwnerPaused(key) };
    },
  }),
  defineTaskEndpoint({
    method: 'POST',
    path: '/v1/tasks/queue',
    operationId: 'changeTaskQueue',
    summary: "Pause or resume all of this key's waiting video and image tasks",
    body: ChangeQueueSchema,
    response: queue,
    errors: ['permission_denied', 'store_unavailable'],
    serve: async ({ engine }, call) => {
      const key = expectOwner(call, remedy);
      const { paused } = call.body;
      await engine.pauseOwner(key, paused);
      return { object: 'task_queue', key, paused };
    },
  }),
];
