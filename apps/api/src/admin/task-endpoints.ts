import { TASK_STATUSES } from '@sluice/canonical';
import { type OperatorAct, showTaskDetails, showResult, showTask } from '@sluice/tasks';
import { z } from 'zod';
import { showPage } from '../schemas/pages.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { TaskDossierSchema, TaskPageSchema, TaskResultSchema } from './schemas/task-response.ts';

const oneLine = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]*\S[^\p{Cc}]*$/u, 'must be one line of text')
    .max(max, `must be at most ${max} characters`);

const SearchSchema = z.strictObject({
  status: z
    .enum(TASK_STATUSES)
    .optional()
    .describe('An internal state. Absent: all open tasks, lost submissions first.'),
  owner: z.string().optional().describe('Name of the key that created the tasks.'),
  upstream: z.string().optional(),
  model: z.string().optional().describe("The model id of the client's request."),
  older_than: z.coerce.number().int().min(0).optional().describe('Minimum age of the tasks, in seconds.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of tasks in a page.'),
  after: z.string().optional().describe('`next` of the previous page.'),
});

const ShowSchema = z.strictObject({
  prompt: z.enum(['true', 'false']).default('false').describe("Whether the response includes the client's prompt."),
});

const act = {
  operator: oneLine(64).default('admin').describe('Name of the operator, for the timeline.'),
  note: oneLine(300).optional().describe('Reason, for the timeline.'),
};
const ActSchema = z.strictObject(act).meta({ id: 'AdminTaskAct' });

const AdoptSchema = z
  .strictObject({
    upstream_job_id: oneLine(256).describe("The vendor's id of the job."),
    upstream_path: oneLine(256)
      .optional()
      .describe('Path of the job at the upstream, if it differs from the path of the request.'),
    instead_of: oneLine(256).optional().describe('The wrong job that an operator attached to the task before.'),
    ...act,
  })
  .meta({ id: 'AdminTaskAdoption' });

const FailSchema = z
  .strictObject({ reason: oneLine(300).describe('Sent to the client as the message of the error.'), ...act })
  .meta({ id: 'AdminTaskFailure' });

const ResubmitSchema = z
  .strictObject({
    confirm: z
      .literal(true, 'must be true: the vendor may run and bill the task twice')
      .describe('Confirms that the vendor may run and bill the task twice.'),
    attempt: z.int().min(1).describe('The lost attempt, so that repeating this request has no effect.'),
    ...act,
  })
  .meta({ id: 'AdminTaskResubmission' });

const errors = ['not_found', 'task_final', 'task_conflict', 'store_unavailable'] as const;
const updatedTask = { status: 200, description: 'The updated task', schema: TaskResultSchema };

export const TASK_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/tasks',
    operationId: 'adminListTasks',
    summary: 'Find tasks of all keys: lost submissions first, then open tasks, oldest first',
    query: SearchSchema,
    response: { status: 200, description: 'A page of tasks', schema: TaskPageSchema },
    errors: ['store_unavailable'],
    serve: async ({ engine }, { query: { older_than: age, ...search } }) => {
      const { tasks, next } = await engine.operator.search({
        ...search,
        ...(age !== undefined && { olderThanMs: age * 1_000 }),
      });
      return showPage(tasks.map(showTask), next);
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/tasks/:id',
    operationId: 'adminRetrieveTask',
    summary: 'Retrieve a task with its timeline and request',
    query: ShowSchema,
    response: { status: 200, description: 'The task', schema: TaskDossierSchema },
    errors: ['not_found', 'store_unavailable'],
    serve: async ({ engine }, { params: { id = '' }, query: { prompt } }) =>
      showTaskDetails(await engine.operator.show(id), prompt === 'true'),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/adopt',
    role: 'operator',
    operationId: 'adminAdoptTask',
    summary: "Attach the vendor's job to a lost submission",
    body: AdoptSchema,
    response: updatedTask,
    errors,
    serve: async (
      { engine },
      { params: { id = '' }, body: { upstream_job_id: upstreamJobId, upstream_path, instead_of: insteadOf, ...by } },
    ) => {
      const job = {
        upstreamJobId,
        ...(upstream_path !== undefined && { upstreamPath: upstream_path }),
        ...(insteadOf !== undefined && { insteadOf }),
      };
      return showResult(await engine.operator.adopt(id, job, actOf(by)));
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/fail',
    role: 'operator',
    operationId: 'adminFailTask',
    summary: 'Fail an open task',
    body: FailSchema,
    response: updatedTask,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body: { reason, ...by } }) =>
      showResult(await engine.operator.fail(id, reason, actOf(by))),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/resubmit',
    role: 'operator',
    operationId: 'adminResubmitTask',
    summary: 'Resubmit a lost submission, which may create a duplicate at the vendor',
    body: ResubmitSchema,
    response: updatedTask,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body: { attempt, ...by } }) =>
      showResult(await engine.operator.resubmit(id, attempt, actOf(by))),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/cancel',
    role: 'operator',
    operationId: 'adminCancelTask',
    summary: 'Cancel a task on behalf of its client',
    body: ActSchema,
    response: updatedTask,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body }) =>
      showResult(await engine.operator.cancel(id, actOf(body))),
  }),
];

function actOf({ operator, note }: { operator: string; note?: string | undefined }): OperatorAct {
  return { by: operator, ...(note !== undefined && { note }) };
}
