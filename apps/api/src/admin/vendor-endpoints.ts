import { GatewayError } from '@sluice/canonical';
import { type KnownVendor, knownVendors, showUrl } from '@sluice/config';
import { canListModels } from '@sluice/upstreams';
import { z } from 'zod';
import type { AdminDeps } from './admin-deps.ts';
import { defineAdminEndpoint } from './admin-endpoint.ts';

const UpstreamSchema = z.object({
  kind: z.string(),
  base_url: z.string(),
  api_key: z.string().optional(),
  access_key: z.string().optional(),
  secret_key: z.string().optional(),
  quirks: z.record(z.string(), z.unknown()).optional(),
});

const VendorSchema = z
  .object({
    name: z.string(),
    source: z
      .enum(['catalog', 'configuration'])
      .describe('`catalog` for a vendor that Sluice knows, and `configuration` for an upstream with another address.'),
    is_configured: z.boolean().describe('Whether one of its upstreams is in the configuration.'),
    lists_models: z.boolean().describe('Whether its models can be listed with a key.'),
    base_url: z.string().describe('The address that receives the key when its models are listed.'),
    variables: z.array(z.string()).describe('Environment variables of its credentials.'),
    upstreams: z.record(z.string(), UpstreamSchema).describe('The `upstreams` of `sluice.yaml` for this vendor.'),
    models: z
      .array(z.object({ id: z.string(), routes: z.array(z.object({ upstream: z.string(), model: z.string() })) }))
      .describe('The `models` of `sluice.yaml` for this vendor. `*` matches any characters.'),
  })
  .meta({ id: 'AdminVendor' });

export const VendorListSchema = z
  .object({ object: z.literal('list'), data: z.array(VendorSchema) })
  .meta({ id: 'AdminVendorList' });

export const VendorModelsSchema = z
  .object({
    object: z.literal('list'),
    vendor: z.string(),
    data: z.array(z.object({ id: z.string(), object: z.literal('model') })),
  })
  .meta({ id: 'AdminVendorModels' });

/** No vendor's key is longer. */
const MAX_KEY_LENGTH = 1_024;

const KeySchema = z.strictObject({
  api_key: z
    .string()
    .trim()
    .min(1)
    .max(MAX_KEY_LENGTH)
    // Other characters cannot be in a header.
    .regex(/^[\x21-\x7e]+$/, { error: 'must be printable ASCII without spaces' })
    .describe("The vendor's key. It is used for this call only, and is not stored or logged."),
});

type Vendor = z.output<typeof VendorSchema>;

/** Where the models of a vendor are listed. */
interface Account {
  kind: string;
  base_url: string;
}

export const VENDOR_ENDPOINTS = [
  defineAdminEndpoint({
    method: 'GET',
    path: '/admin/v1/vendors',
    operationId: 'adminListVendors',
    summary: 'List the vendors that Sluice knows, with their lines of the configuration',
    response: { status: 200, description: 'The vendors', schema: VendorListSchema },
    errors: [],
    serve: async (deps) => ({ object: 'list', data: vendorsOf(deps).map(({ shown }) => shown) }),
  }),
  defineAdminEndpoint({
    method: 'POST',
    path: '/admin/v1/vendors/:name/models',
    operationId: 'adminListVendorModels',
    summary: "List the models that a vendor's key may use, before the key is in the configuration",
    body: KeySchema,
    response: { status: 200, description: 'The models', schema: VendorModelsSchema },
    errors: ['not_found', 'provider_error'],
    serve: async (deps, { params, body }) => {
      const vendor = vendorsOf(deps).find(({ shown }) => shown.name === params['name']);
      if (!vendor) throw new GatewayError('not_found', 'No such vendor. `GET /admin/v1/vendors` lists all vendors.');
      const { account, shown } = vendor;
      if (!account) throw new GatewayError('invalid_request', `The vendor \`${shown.name}\` has no list of models.`);
      const models = await deps.listVendorModels({ ...account, ...body }, deps.stopping);
      return { object: 'list', vendor: shown.name, data: models.map((id) => ({ id, object: 'model' })) };
    },
  }),
];

/** The vendors of the catalog, and upstreams at other addresses. A configured address replaces that of the catalog. */
function vendorsOf({ upstreams }: Pick<AdminDeps, 'upstreams'>): { shown: Vendor; account: Account | undefined }[] {
  const known = knownVendors().map((vendor) => {
    const account = accountOf(Object.entries(vendor.upstreams), upstreams);
    const isConfigured = Object.keys(vendor.upstreams).some((name) => name in upstreams);
    return { shown: { ...show(vendor, account), source: 'catalog' as const, is_configured: isConfigured }, account };
  });
  const names = new Set(known.flatMap(({ shown }) => Object.keys(shown.upstreams)));
  const own = Object.entries(upstreams).filter(([name, { kind }]) => canListModels(kind) && !names.has(name));
  const configured = own.map(([name, account]) => ({
    shown: {
      ...show({ name, variables: [], upstreams: {}, models: [] }, account),
      source: 'configuration' as const,
      is_configured: true,
    },
    account,
  }));
  return [...known, ...configured];
}

/** The first upstream whose vendor lists models. */
function accountOf(
  known: readonly [string, Account][],
  configured: Readonly<Record<string, Account>>,
): Account | undefined {
  const [name, account] = known.find(([, { kind }]) => canListModels(kind)) ?? [];
  if (name === undefined) return undefined;
  const own = configured[name];
  return own && canListModels(own.kind) ? own : account;
}

function show(
  { name, variables, upstreams, models }: KnownVendor,
  account: Account | undefined,
): Omit<Vendor, 'source' | 'is_configured'> {
  const address = account?.base_url ?? Object.values(upstreams)[0]?.base_url ?? '';
  return {
    name,
    lists_models: account !== undefined,
    base_url: showUrl(address),
    variables: [...variables],
    // The casts are safe because the catalog is data of this form, which is only sent.
    upstreams: { ...upstreams } as Vendor['upstreams'],
    models: models as Vendor['models'],
  };
}
