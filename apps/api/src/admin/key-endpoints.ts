import { type KeyRecord, type KeyStore, type MadeKey, showKey, type ShownKey } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';
import { KeyBudgetSchema, KeySettingsSchema } from '@sluice/config';
import { withSpending } from '@sluice/limits';
import { z } from 'zod';
import { printable } from '../http/printable.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';
import type { AdminRoom } from './admin-room.ts';
import {
  type ConfiguredKey,
  KeyAnswerSchema,
  KeyPageSchema,
  MadeKeyAnswerSchema,
  showConfiguredKey,
} from './key-answer.ts';
import { patchSchema } from './patch-schema.ts';

// The bound also finds milliseconds, before the year 2286 comes.
const ExpirySchema = z
  .int()
  .max(9_999_999_999, 'must be Unix seconds, not milliseconds')
  .describe('When the key is to end by itself, Unix seconds. Absent: never.');

const NewKeySchema = z
  .strictObject({
    name: z.string().describe('The owner of what is made with the key: letters, digits and . _ @ + -, at most 64.'),
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
      .describe('How long the secrets before the new one stay good, at most 30 days; 0: they end at once.'),
  })
  .meta({ id: 'AdminKeyRotation' });

const ListingSchema = z.strictObject({
  limit: z.coerce.number().int().min(1).max(100).default(20).describe('How many keys a page has at most.'),
  after: z.string().optional().describe('Id of the last key of the page before; its name, where it has none.'),
});

const errors = ['not_found', 'store_unavailable'] as const;
const shownKey = { status: 200, description: 'The key', schema: KeyAnswerSchema };
const byId = { path: '/admin/v1/keys/:id' } as const;

/** What `/admin/v1/keys` serves. */
export const KEY_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/keys',
    operationId: 'adminCreateKey',
    summary: 'Create an API key',
    body: NewKeySchema,
    answer: { status: 201, description: 'The key with its secret, shown this once', schema: MadeKeyAnswerSchema },
    errors: ['store_unavailable'],
    serve: (room, { body: { name, expires_at: expiresAt, ...settings } }) =>
      make(room, (keys) =>
        keys.create({ name, settings, ...(expiresAt !== undefined && { expiresAt: expiresAt * 1_000 }) }),
      ),
  }),
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/keys',
    operationId: 'adminListKeys',
    summary: 'List the API keys: those of the configuration, then the others, the oldest first',
    query: ListingSchema,
    answer: { status: 200, description: 'A page of keys', schema: KeyPageSchema },
    errors: ['store_unavailable'],
    serve: async (room, { query: { limit, after } }) => {
      const stored = (await room.storedKeys.store.list()).map(shownIn(room));
      const all = [...room.configuredKeys.map(showConfiguredKey), ...stored];
      // A stored key may have the name of a configured one.
      const at = all.findIndex(({ id }) => id === after);
      const begin = after === undefined ? 0 : (at < 0 ? all.findIndex(({ name }) => name === after) : at) + 1;
      if (after !== undefined && begin === 0) {
        throw new GatewayError('invalid_request', `after names no key: ${printable(after)}.`, { param: 'after' });
      }
      const data = await Promise.all(all.slice(begin, begin + limit).map((key) => tellSpending(room, key)));
      return { object: 'list', data, has_more: all.length > begin + limit };
    },
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'GET',
    operationId: 'adminRetrieveKey',
    summary: 'Retrieve an API key by its id or name',
    answer: shownKey,
    errors,
    serve: async (room, { params: { id = '' } }) => {
      const { configuredKeys, storedKeys } = room;
      const found = configuredKeys.find(({ name }) => name === id);
      const key = found ? showConfiguredKey(found) : shownIn(room)(await storedKeys.store.retrieve(id));
      return tellSpending(room, key);
    },
  }),
  defineAdminEndpoint({
    ...byId,
    method: 'PATCH',
    operationId: 'adminChangeKey',
    summary: 'Change what an API key may do; what is not named stays, null takes a field away',
    body: ChangedKeySchema,
    answer: shownKey,
    errors,
    serve: (room, { params: { id = '' }, body: { expires_at: expiresAt, ...settings } }) =>
      change(room, id, (keys) =>
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
    summary: 'Revoke an API key for good',
    answer: shownKey,
    errors,
    serve: (room, { params: { id = '' } }) => change(room, id, (keys) => keys.revoke(id)),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/keys/:id/rotate',
    operationId: 'adminRotateKey',
    summary: 'Give an API key a new secret',
    body: RotationSchema,
    answer: { status: 200, description: 'The key with its new secret, shown this once', schema: MadeKeyAnswerSchema },
    errors,
    serve: (room, { params: { id = '' }, body: { grace_seconds: graceSeconds } }) => {
      refuseConfigured(room, id);
      return make(room, (keys) => keys.rotate(id, graceSeconds * 1_000));
    },
  }),
];

/** How a stored key is shown now. */
function shownIn({ configuredKeys, catalog, now }: AdminRoom): (record: KeyRecord) => ShownKey {
  const configuredNames = configuredKeys.map(({ name }) => name);
  const hasModel = (id: string): boolean => catalog.find(id) !== undefined;
  const surroundings = { now: now(), configuredNames, hasModel };
  return (record) => showKey(record, surroundings);
}

/** Adds what was spent. @throws GatewayError `store_unavailable` */
async function tellSpending({ limiter }: AdminRoom, key: ShownKey | ConfiguredKey) {
  try {
    return await withSpending(limiter, key, KeyBudgetSchema.safeParse(key.budget).data);
  } catch (error) {
    const what = 'What keys have spent cannot be reached at the moment. Try again shortly.';
    throw new GatewayError('store_unavailable', what, { retryAfterMs: 1_000, cause: error });
  }
}

async function make(room: AdminRoom, work: (keys: KeyStore) => Promise<MadeKey>): Promise<ShownKey & { key: string }> {
  const { record, secret } = await work(room.storedKeys.store);
  await room.storedKeys.known.refresh();
  return { ...shownIn(room)(record), key: secret };
}

async function change(
  room: AdminRoom,
  idOrName: string,
  work: (keys: KeyStore) => Promise<KeyRecord>,
): Promise<ShownKey> {
  refuseConfigured(room, idOrName);
  const record = await work(room.storedKeys.store);
  // The client that has its answer finds the change in force, here at least.
  await room.storedKeys.known.refresh();
  return shownIn(room)(record);
}

function refuseConfigured({ configuredKeys }: AdminRoom, name: string): void {
  if (!configuredKeys.some((key) => key.name === name)) return;
  throw new GatewayError('invalid_request', 'This key stands in the configuration: change it there.');
}
