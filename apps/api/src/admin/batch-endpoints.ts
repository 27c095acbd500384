import { BATCH_STATUSES, GatewayError } from '@sluice/canonical';
import type { OwnedBatch } from '@sluice/batches';
import { BatchSchema, encodeBatch, PrioritySchema } from '@sluice/protocols';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { pageSchema, searchText, showPage, SPARSE } from '../schemas/pages.ts';

const AdminBatchSchema = BatchSchema.extend({
  owner: z.string().describe('Name of the key that created the batch.'),
}).meta({ id: 'AdminBatch' });

export const AdminBatchPageSchema = pageSchema(AdminBatchSchema, 'AdminBatchPage', SPARSE);

const SearchSchema = z.strictObject({
  owner: searchText().describe('Name of the key that created the batches.'),
  status: z.enum(BATCH_STATUSES, { error: `must be one of ${BATCH_STATUSES.join(', ')}` }).optional(),
  model: searchText().describe('The model of all requests of the batches.'),
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of batches in a page.'),
  after: z
    .string('must be sent once')
    .regex(/^batch_\w{25}$/, 'must be `next` of the previous page')
    .optional()
    .describe('`next` of the previous page.'),
});

const ChangeSchema = z
  .strictObject({
    paused: z
      .boolean('must be true or false')
      .optional()
      .describe('A paused batch sends no further requests. It still expires.'),
    priority: PrioritySchema.optional(),
  })
  .refine(({ paused, priority }) => paused !== undefined || priority !== undefined, {
    error: 'must contain paused or priority',
  })
  .meta({ id: 'AdminBatchChange' });

const one = { status: 200, description: 'The batch', schema: AdminBatchSchema };
const errors = ['batch_not_found', 'batch_conflict', 'store_unavailable'] as const;

/** Batches of all keys. */
export const BATCH_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/batches',
    operationId: 'adminListBatches',
    summary: 'Find batches of all keys, newest first',
    query: SearchSchema,
    response: { status: 200, description: 'A page of batches', schema: AdminBatchPageSchema },
    errors: ['store_unavailable'],
    serve: async ({ batches }, { query }) => {
      const { batches: found, next } = await batches.search(query);
      return showPage(found.map(show), next);
    },
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/batches/:id',
    operationId: 'adminRetrieveBatch',
    summary: 'Retrieve a batch of any key',
    response: one,
    errors: ['batch_not_found', 'store_unavailable'],
    serve: async (deps, { params: { id = '' } }) => show(await find(deps, id)),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/batches/:id',
    role: 'operator',
    operationId: 'adminChangeBatch',
    summary: 'Pause or resume a batch of any key, or change its priority',
    body: ChangeSchema,
    response: one,
    errors,
    serve: async (deps, { params: { id = '' }, body }) => {
      const { owner } = await find(deps, id);
      return show({ ...(await deps.batches.change(owner, id, body)), owner });
    },
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/batches/:id/cancel',
    role: 'operator',
    operationId: 'adminCancelBatch',
    summary: 'Cancel a batch of any key; requests that have been sent end first',
    response: one,
    errors,
    serve: async (deps, { params: { id = '' } }) => {
      const { owner } = await find(deps, id);
      return show({ ...(await deps.batches.cancel(owner, id)), owner });
    },
  }),
];

/** @throws GatewayError `batch_not_found` */
async function find({ batches }: Pick<AdminDeps, 'batches'>, id: string): Promise<OwnedBatch> {
  const batch = await batches.load(id);
  if (batch) return batch;
  throw new GatewayError('batch_not_found', 'The batch does not exist, or it was deleted. List the batches.');
}

function show(batch: OwnedBatch): z.output<typeof AdminBatchSchema> {
  return { ...encodeBatch(batch), owner: batch.owner };
}
