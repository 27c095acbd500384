import { LedgerEntrySchema, LedgerPageSchema } from '../metering/ledger-response.ts';
import { RequestSearchSchema, retrieveRequest, searchRequests } from '../metering/request-search.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

export const REQUEST_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/requests',
    operationId: 'adminListRequests',
    summary: 'Find requests and tasks in the usage ledger, newest first',
    query: RequestSearchSchema,
    response: { status: 200, description: 'A page of entries', schema: LedgerPageSchema },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
    serve: ({ ledger }, { query }) => searchRequests(ledger, query),
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/requests/:id',
    operationId: 'adminRetrieveRequest',
    summary: 'Retrieve an entry of the usage ledger by its id, request id, or task id',
    response: { status: 200, description: 'The entry', schema: LedgerEntrySchema },
    errors: ['not_found', 'rate_limited', 'store_unavailable'],
    serve: ({ ledger }, { params: { id = '' } }) => retrieveRequest(ledger, id),
  }),
];
