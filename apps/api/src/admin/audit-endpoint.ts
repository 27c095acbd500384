import { z } from 'zod';
import { ChangeSchema } from '../audit/audit-log.ts';
import { PeriodFields, readPeriod } from '../metering/request-search.ts';
import { pageSchema, searchText, showPage } from '../schemas/pages.ts';
import { timeSchema, unixSeconds } from '../schemas/times.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const EntrySchema = z
  .object({
    object: z.literal('audit.entry'),
    id: z.string(),
    created_at: timeSchema('Time of the change'),
    ...ChangeSchema.shape,
  })
  .meta({ id: 'AdminAuditEntry' });

export const AuditPageSchema = pageSchema(EntrySchema, 'AdminAuditPage');

const SearchSchema = z.strictObject({
  actor: searchText().describe('Name, OIDC subject, or session of the person or key.'),
  operation: searchText().describe('Id of an operation, e.g. `adminCreateKey`.'),
  target: searchText().describe('Id or name of the changed object, as in the path of the change.'),
  ...PeriodFields,
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of entries in a page.'),
  after: searchText().describe('`next` of the previous page.'),
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
      Object.assign({ object: 'audit.entry', id, created_at: unixSeconds(at) }, change),
    );
    return showPage(data, next);
  },
});
