import { GatewayError } from '@sluice/canonical';
import { z } from 'zod';
import { KeyResponseSchema } from '../auth/key-response.ts';
import { validateInput } from '../http/validate-input.ts';
import { defineUsageEndpoint } from './usage-endpoint.ts';

const NothingSchema = z.strictObject({});

/** The fields of a key that its holder can read. */
export const OwnKeySchema = KeyResponseSchema.pick({
  object: true,
  name: true,
  status: true,
  last4: true,
  models: true,
  strict: true,
  vendor_references: true,
  limits: true,
  budget: true,
  labels: true,
  spending: true,
  created_at: true,
  expires_at: true,
}).meta({ id: 'OwnKey' });

export const OWN_KEY_ENDPOINT = defineUsageEndpoint({
  path: '/v1/key',
  operationId: 'retrieveOwnKey',
  summary: 'Retrieve the settings of this key, and what is left of its budget',
  query: NothingSchema,
  response: { description: 'The key, without its secret', content: { 'application/json': OwnKeySchema } },
  serve: async ({ retrieveKey }, { owner, query }) => {
    validateInput(NothingSchema, query, 'query');
    if (owner === undefined) {
      throw new GatewayError('not_found', 'The admin key has no limits. Use an API key, or `GET /admin/v1/keys`.');
    }
    return { body: OwnKeySchema.parse(await retrieveKey(owner)) };
  },
});
