import { z } from 'zod';
import { ChangeSchema } from '../audit/audit-log.ts';
import { PeriodFields, readPeriod } from '../metering/request-search.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const EntrySchema = z
  .object({
    object: z.literal('audit.entry'),
    id: z.string(),
    created_at: z.int().describe('Unix seconds.'),
    ...ChangeSchema.shape,
  })
  .meta({ id: 'AdminAuditEntry' });

export const AuditPageSchema = z
  .object({
    object: z.literal('list'),
    data: z.array(EntrySchema),
    has_more: z.boolean(),
    next: z.string().optional().describe('Value of `after` for the next page.'),
  })
  .meta({ id: 'AdminAuditPage' });

const text = () =>
  z.string('must be sent once').min(1, 'must not be empty').max(256, 'must be at most 256 characters').optional();

const SearchSchema = z.strictObject({
  actor: text().describe('Name, OIDC subject, or session of the person or key.'),
  operation: text().describe('Id of an operation, e.g. `adminCreateKey`.'),
  target: text().describe('Id or name of the changed object, as in the path of the change.'),
  ...PeriodFields,
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of entries in a page.'),
  after: text().describe('`next` of the previous page.'),
});

export const AUDIT_ENDPOINT = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/audit',
  operationId: 'adminListAuditEntries',
  summary: 'List changes of people and keys, and reloads, newest first',
  query: SearchSchema,
  response: { status: 200, description: 'A page of entries', schema: AuditPageSchema },
  errors: ['store_unavailable'],
  serve: async ({ auditLog }, { query: { start_time, end_time, ...search } }) => {
    const { entries, next } = await auditLog.search({ ...search, ...readPeriod({ start_time, end_time }) });
    const data = entries.map(({ id, at, ...change }) =>
      Object.assign({ object: 'audit.entry', id, created_at: Math.floor(at / 1_000) }, change),
    );
    return { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
  },
});
