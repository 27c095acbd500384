import type { TextQuirks } from '@sluice/canonical';
import type { PriceList } from './price-list.ts';
import type { ImageCounts } from './models.ts';

export const MODEL_CAPABILITIES = [
  'text',
  'video',
  'image',
  'embedding',
  'rerank',
  'speech',
  'transcription',
  'moderation',
  'realtime',
] as const;
export type ModelCapability = (typeof MODEL_CAPABILITIES)[number];

export const CREDENTIAL_FIELDS = ['api_key', 'access_key', 'secret_key'] as const;
export type CredentialField = (typeof CREDENTIAL_FIELDS)[number];
export type CredentialSet = readonly CredentialField[];

/** The clouds of identities, as in the `type` of an identity. */
export type IdentityCloud = 'azure' | 'google' | 'aws';

/** The fields of identities that are secrets. */
export const IDENTITY_SECRETS = [
  'client_secret',
  'certificate',
  'certificate_password',
  'secret_key',
  'session_token',
] as const;

export const KEY: CredentialSet = ['api_key'];
export const KEY_PAIR: CredentialSet = ['access_key', 'secret_key'];
/** For self-hosted servers, which often need no key. */
export const OPTIONAL_KEY: readonly CredentialSet[] = [KEY, []];

export interface VendorManifest {
  /** The `kind` of an upstream in `sluice.yaml`. The kind's folders have the same name. */
  kind: string;
  capabilities: readonly ModelCapability[];
  /** Alternative sets of credential fields. An account must have every field of one set. */
  credentials: readonly CredentialSet[];
  /** Clouds whose identities can replace the credentials. */
  identities?: readonly IdentityCloud[];
  /** Optional upstream fields that only this kind accepts. */
  fields?: readonly UpstreamField[];
  /** Request headers of this API, in addition to `accept`, `authorization`, and content headers. */
  headers?: readonly string[];
  /** The URIs that `output_uri` accepts, and whether the vendor generates videos only with this field. */
  output?: { scheme: 'gs' | 's3'; isRequired?: true };
  /** Path of the API below the sandbox's base URL. */
  sandboxPath: string;
  /** Further fields of an upstream at the sandbox. Values with a leading slash are paths below its base URL. */
  sandboxFields?: Readonly<Partial<Record<UpstreamField, string>>>;
  /** One model per capability, for the end-to-end tests. Media models must accept a prompt without images. */
  examples?: Readonly<Partial<Record<ModelCapability, string>>>;
  /** Which submissions can be found at the vendor after their response was lost. */
  findsSubmissions?: 'video' | 'all';
  /** Whether a request can set the number of images. */
  manyImages?: true;
  /** Catalogs of models for the documentation. */
  catalogs?: readonly VendorCatalog[];
  /** Whether the catalogs contain all models that generate videos or images. */
  listsMediaModels?: true;
  /** Accounts that environment variables enable if there is no configuration file. */
  vendors?: readonly WellKnownVendor[];
  /** Prices of models that the catalog of text models lacks. */
  prices?: readonly PriceList[];
  /** Sources of the data: the vendor's documentation or its SDK version. */
  sources?: readonly string[];
}

export interface VendorCatalog {
  /** Title of the table, e.g. `videos`. */
  title: string;
  models: readonly (readonly [name: string | RegExp, model: ListedModel])[];
}

/** The catalog fields that the documentation shows. Each catalog contains only some of them. */
export interface ListedModel {
  maxPrompt?: number;
  seconds?: readonly number[] | string;
  resolutions?: unknown;
  tiers?: readonly string[];
  aspectRatios?: readonly string[];
  frames?: readonly string[];
  ratios?: unknown;
  sizes?: readonly string[];
  images?: ImageCounts;
}

export const UPSTREAM_FIELDS = [
  'completions',
  'vendor_batches',
  'region',
  'output_uri',
  'batch_role_arn',
  's3_endpoint',
] as const;
export type UpstreamField = (typeof UPSTREAM_FIELDS)[number];

/** A vendor's upstreams and models, in the format of `sluice.yaml`. Enabled if all of its variables are set. */
export interface WellKnownVendor {
  upstreams: Readonly<Record<string, WellKnownUpstream>>;
  models: readonly WellKnownModel[];
  /** Models for requests that do not name a model. */
  defaults?: Readonly<Partial<Record<'video_model' | 'image_model' | 'moderation_model' | 'realtime_model', string>>>;
}

export interface WellKnownUpstream {
  kind: string;
  base_url: string;
  api_key?: string;
  access_key?: string;
  secret_key?: string;
  /** By the names of the fields, with `type`. */
  identity?: Readonly<Record<string, string>>;
  quirks?: TextQuirks;
}

export interface WellKnownModel {
  id: string;
  routes: readonly { upstream: string; model: string }[];
  capabilities?: readonly ModelCapability[];
}

export function defineVendor<const M extends VendorManifest>(manifest: M): M {
  return manifest;
}

export function modelOf(id: string, ...upstreams: string[]): WellKnownModel {
  return { id, routes: upstreams.map((upstream) => ({ upstream, model: id })) };
}

export function allModelsOf(name: string): WellKnownModel {
  return { id: `${name}/*`, routes: [{ upstream: name, model: '*' }] };
}

/** Creates an upstream with one API key, which is read from an environment variable. */
export function keyed(kind: string, base_url: string, variable: string): WellKnownUpstream {
  return { kind, base_url, api_key: `\${${variable}}` };
}

/** Creates a vendor with one API key and one upstream. The upstream is named after its kind. */
export function keyVendor(
  kind: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
): WellKnownVendor {
  return { upstreams: { [kind]: keyed(kind, base_url, variable) }, models: patterns.map((id) => modelOf(id, kind)) };
}

/** Creates a host that serves models of many vendors. Its models can also be called as `kind/…`. */
export function modelHost(
  kind: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
): WellKnownVendor {
  const { upstreams, models } = keyVendor(kind, variable, base_url, patterns);
  return { upstreams, models: [...models, allModelsOf(kind)] };
}
