import { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { printable } from '../http/printable.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import { KeyAnswerSchema, showConfiguredKey } from './key-answer.ts';

/** What `/admin/v1/keys` serves. */
export const KEY_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/keys',
    operationId: 'adminListKeys',
    summary: 'List the API keys',
    answer: {
      status: 200,
      description: 'The keys',
      schema: z.object({ object: z.literal('list'), data: z.array(KeyAnswerSchema) }),
    },
    errors: [],
    serve: async ({ configuredKeys }) => ({ object: 'list', data: configuredKeys.map(showConfiguredKey) }),
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/keys/:id',
    operationId: 'adminRetrieveKey',
    summary: 'Retrieve an API key by its id or name',
    answer: { status: 200, description: 'The key', schema: KeyAnswerSchema },
    errors: ['not_found'],
    serve: async ({ configuredKeys }, { params: { id = '' } }) => {
      const found = configuredKeys.find(({ name }) => name === id);
      if (found) return showConfiguredKey(found);
      throw new GatewayError('not_found', `There is no key ${printable(id)}.`);
    },
  }),
];
