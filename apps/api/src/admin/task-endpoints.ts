import { TASK_STATUSES } from '@sluice/canonical';
import { type OperatorAct, showDossier, showResult, showTask } from '@sluice/tasks';
import { z } from 'zod';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { TaskDossierSchema, TaskPageSchema, TaskResultSchema } from './task-response.ts';

const line = (max: number) =>
  z
    .string()
    .trim()
    .regex(/^[^\p{Cc}]*\S[^\p{Cc}]*$/u, 'must be one line of text')
    .max(max, `must have at most ${max} characters`);

const SearchSchema = z.strictObject({
  status: z.enum(TASK_STATUSES).optional().describe('An inner state. Absent: all open tasks, lost submissions first.'),
  owner: z.string().optional().describe('Name of the key that made them.'),
  upstream: z.string().optional(),
  model: z.string().optional().describe('The model id that clients asked for.'),
  older_than: z.coerce.number().int().min(0).optional().describe('Only tasks older than this, seconds.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many tasks a page has at most.'),
  after: z.string().optional().describe('`next` of the page before.'),
});

const ShowSchema = z.strictObject({
  prompt: z.enum(['true', 'false']).default('false').describe("Whether the client's own words are told."),
});

const act = {
  operator: line(64).default('admin').describe('Who does it, for the timeline.'),
  note: line(300).optional().describe('Why, for the timeline.'),
};
const ActSchema = z.strictObject(act).meta({ id: 'AdminTaskAct' });

const AdoptSchema = z
  .strictObject({
    upstream_job_id: line(256).describe("The vendor's id of the job."),
    upstream_path: line(256).optional().describe('Where the job is found, if not where the request would have led to.'),
    instead_of: line(256).optional().describe('The job that an operator gave the task before by mistake.'),
    ...act,
  })
  .meta({ id: 'AdminTaskAdoption' });

const FailSchema = z
  .strictObject({ reason: line(300).describe('Told to the client as the message of the error.'), ...act })
  .meta({ id: 'AdminTaskFailure' });

const ResubmitSchema = z
  .strictObject({
    confirm: z
      .literal(true, 'must be true: the vendor may then make, and charge, the task twice')
      .describe('That the vendor may make, and charge, the task twice.'),
    attempt: z.int().min(1).describe('The attempt that was lost: a repeat of this request does nothing.'),
    ...act,
  })
  .meta({ id: 'AdminTaskResubmission' });

const errors = ['not_found', 'task_final', 'task_conflict', 'store_unavailable'] as const;
const changed = { status: 200, description: 'The task as it then is', schema: TaskResultSchema };

/** What `/admin/v1/tasks` serves. */
export const TASK_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/tasks',
    operationId: 'adminListTasks',
    summary: 'Find tasks of all keys: lost submissions first, then the oldest open ones',
    query: SearchSchema,
    response: { status: 200, description: 'A page of tasks', schema: TaskPageSchema },
    errors: ['store_unavailable'],
    serve: async ({ engine }, { query: { older_than: age, ...search } }) => {
      const { tasks, next } = await engine.operator.search({
        ...search,
        ...(age !== undefined && { olderThanMs: age * 1_000 }),
      });
      const data = tasks.map(showTask);
      return { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/tasks/:id',
    operationId: 'adminRetrieveTask',
    summary: 'Retrieve a task, its timeline and what was asked for',
    query: ShowSchema,
    response: { status: 200, description: 'The task', schema: TaskDossierSchema },
    errors: ['not_found', 'store_unavailable'],
    serve: async ({ engine }, { params: { id = '' }, query: { prompt } }) =>
      showDossier(await engine.operator.show(id), prompt === 'true'),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/adopt',
    operationId: 'adminAdoptTask',
    summary: "Give a lost submission the vendor's job that it has led to",
    body: AdoptSchema,
    response: changed,
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
    operationId: 'adminFailTask',
    summary: 'End an open task as failed',
    body: FailSchema,
    response: changed,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body: { reason, ...by } }) =>
      showResult(await engine.operator.fail(id, reason, actOf(by))),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/resubmit',
    operationId: 'adminResubmitTask',
    summary: 'Submit a lost submission once more, at the risk that the vendor makes both',
    body: ResubmitSchema,
    response: changed,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body: { attempt, ...by } }) =>
      showResult(await engine.operator.resubmit(id, attempt, actOf(by))),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/tasks/:id/cancel',
    operationId: 'adminCancelTask',
    summary: 'Cancel a task as its client could',
    body: ActSchema,
    response: changed,
    errors,
    serve: async ({ engine }, { params: { id = '' }, body }) =>
      showResult(await engine.operator.cancel(id, actOf(body))),
  }),
];

function actOf({ operator, note }: { operator: string; note?: string | undefined }): OperatorAct {
  return { by: operator, ...(note !== undefined && { note }) };
}
