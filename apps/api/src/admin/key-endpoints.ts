import type { IssuedKey, KeyRecord, KeyStore, ShownKey } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';
import { KeySettingsSchema } from '@sluice/config';
import { z } from 'zod';
import { printable } from '../http/printable.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminDeps } from './admin-deps.ts';
import { KeyResponseSchema, KeyPageSchema, IssuedKeyResponseSchema, showConfiguredKey } from '../auth/key-response.ts';
import { reportSpending, retrieveKey, shownIn } from '../auth/show-keys.ts';
import { patchSchema } from './schemas/patch-schema.ts';

// Rejects milliseconds sent by mistake. A Unix time in seconds reaches this bound in the year 2286.
const ExpirySchema = z
  .int()
  .max(9_999_999_999, 'must be Unix seconds, not milliseconds')
  .describe('Expiry of the key, in Unix seconds. Absent: the key does not expire.');

const NewKeySchema = z
  .strictObject({
    name: z
      .string()
      .describe('Owner of everything created with the key: letters, digits, and . _ @ + -, at most 64 characters.'),
    expires_at: ExpirySchema.optional(),
    ...KeySettingsSchema.shape,
  })
  .meta({ id: 'AdminNewKey' });

const ChangedKeySchema = z
  .strictObject({ expires_at: ExpirySchema.nullable().optional(), ...patchSchema(KeySettingsSchema).shape })
  .meta({ id: 'AdminKeyChange' });

const RotationSchema = z
  .strictObject({
    grace_seconds: z
      .int()
      .default(24 * 3_600)
      .describe('How long earlier secrets stay valid, at most 30 days. 0: they end at once.'),
  })
  .meta({ id: 'AdminKeyRotation' });

const ListingSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('Maximum number of keys in a page.'),
  after: z.string().optional().describe('Id of the last key of the previous page, or its name if it has no id.'),
});

const errors = ['not_found', 'store_unavailable'] as const;
const shownKey = { status: 200, description: 'The key', schema: KeyResponseSchema };
const byId = { path: '/admin/v1/keys/:id' } as const;

export const KEY_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/keys',
    operationId: 'adminCreateKey',
    summary: 'Create an API key',
    body: NewKeySchema,
    response: {
      status: 201,
      description: 'The key with its secret, which is shown only once',
      schema: IssuedKeyResponseSchema,
    },
    errors: ['store_unavailable'],
    serve: (deps, { body: { name, expires_at: expiresAt, ...settings } }) =>
      issue(deps, (keys) =>
        keys.create({ name, settings, ...(expiresAt !== undefined && { expiresAt: expiresAt * 1_000 }) }),
      ),
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/keys',
    operationId: 'adminListKeys',
    summary: 'List the API keys: configured keys first, then stored keys, oldest first',
    query: ListingSchema,
    response: { status: 200, description: 'A page of keys', schema: KeyPageSchema },
    errors: ['store_unavailable'],
    serve: async (deps, { query: { limit, after } }) => {
      const stored = (await deps.storedKeys.store.list()).map(shownIn(deps));
      const all = [...deps.configuredKeys.map(showConfiguredKey), ...stored];
      // The cursor is an id, because a stored key and a configured key can have the same name.
      const at = all.findIndex(({ id }) => id === after);
      const begin = after === undefined ? 0 : (at < 0 ? all.findIndex(({ name }) => name === after) : at) + 1;
      if (after !== undefined && begin === 0) {
        throw new GatewayError(
          'invalid_request',
          `\`after\` must be the id or name of a key; got ${printable(after)}. Remove it to start at the first page.`,
          { param: 'after' },
        );
      }
      const data = await Promise.all(all.slice(begin, begin + limit).map((key) => reportSpending(deps, key)));
      return { object: 'list', data, has_more: all.length > begin + limit };
    },
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'GET',
    operationId: 'adminRetrieveKey',
    summary: 'Retrieve an API key by its id or name',
    response: shownKey,
    errors,
    serve: (deps, { params: { id = '' } }) => retrieveKey(deps, id),
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'PATCH',
    operationId: 'adminChangeKey',
    summary: 'Change the settings of an API key; absent fields stay unchanged, null removes a field',
    body: ChangedKeySchema,
    response: shownKey,
    errors,
    serve: (deps, { params: { id = '' }, body: { expires_at: expiresAt, ...settings } }) =>
      change(deps, id, (keys) =>
        keys.change(id, {
          settings,
          ...(expiresAt !== undefined && { expiresAt: expiresAt === null ? null : expiresAt * 1_000 }),
        }),
      ),
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'DELETE',
    operationId: 'adminRevokeKey',
    summary: 'Revoke an API key permanently',
    response: shownKey,
    errors,
    serve: (deps, { params: { id = '' } }) => change(deps, id, (keys) => keys.revoke(id)),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/keys/:id/rotate',
    operationId: 'adminRotateKey',
    summary: 'Rotate the secret of an API key',
    body: RotationSchema,
    response: {
      status: 200,
      description: 'The key with its new secret, which is shown only once',
      schema: IssuedKeyResponseSchema,
    },
    errors,
    serve: (deps, { params: { id = '' }, body: { grace_seconds: graceSeconds } }) => {
      refuseConfigured(deps, id);
      return issue(deps, (keys) => keys.rotate(id, graceSeconds * 1_000));
    },
  }),
];

async function issue(
  deps: AdminDeps,
  work: (keys: KeyStore) => Promise<IssuedKey>,
): Promise<ShownKey & { key: string }> {
  const { record, secret } = await work(deps.storedKeys.store);
  await deps.storedKeys.known.refresh();
  return { ...shownIn(deps)(record), key: secret };
}

async function change(
  deps: AdminDeps,
  idOrName: string,
  work: (keys: KeyStore) => Promise<KeyRecord>,
): Promise<ShownKey> {
  refuseConfigured(deps, idOrName);
  const record = await work(deps.storedKeys.store);
  // Applies the change in this process before the client receives the response.
  await deps.storedKeys.known.refresh();
  return shownIn(deps)(record);
}

function refuseConfigured({ configuredKeys }: AdminDeps, name: string): void {
  if (!configuredKeys.some((key) => key.name === name)) return;
  throw new GatewayError('invalid_request', 'This key is defined in the configuration file. Change it there.');
}
