import type { TextQuirks } from '@sluice/canonical';

/** Capabilities of a model. */
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

/** The fields of an upstream that hold its credential. */
export const CREDENTIAL_FIELDS = ['api_key', 'access_key', 'secret_key'] as const;
export type CredentialField = (typeof CREDENTIAL_FIELDS)[number];
/** Fields that make a credential together. */
export type CredentialSet = readonly CredentialField[];

export const KEY: CredentialSet = ['api_key'];
export const KEY_PAIR: CredentialSet = ['access_key', 'secret_key'];
/** Self-hosted servers often need no key. */
export const KEY_OR_NONE: readonly CredentialSet[] = [KEY, []];

/** An upstream kind: the data that describes a vendor's API. */
export interface VendorManifest {
  /** `kind` of an upstream in `sluice.yaml`; the name of the kind's folders. */
  kind: string;
  capabilities: readonly ModelCapability[];
  /** An account needs all fields of one of these sets. */
  credentials: readonly CredentialSet[];
  /** Optional fields of an upstream that this kind alone takes. */
  fields?: readonly UpstreamField[];
  /** Request headers of this API, beside `accept`, `authorization`, and those of content. */
  headers?: readonly string[];
  /** Path of the API below the sandbox's base URL. */
  sandboxPath: string;
  /** Accounts that environment variables turn on if there is no configuration file. */
  vendors?: readonly WellKnownVendor[];
  /** Where the data comes from: the vendor's documentation, or the version of its SDK. */
  sources?: readonly string[];
}

/** See {@link VendorManifest.fields}. */
export type UpstreamField = 'completions' | 'region';

/** A vendor's upstreams and models, in the format of `sluice.yaml`. It is on if all its variables are set. */
export interface WellKnownVendor {
  /** By name. Credentials refer to environment variables. */
  upstreams: Readonly<Record<string, WellKnownUpstream>>;
  models: readonly WellKnownModel[];
  /** Models of requests that name none. */
  defaults?: Readonly<Partial<Record<'video_model' | 'image_model' | 'moderation_model' | 'realtime_model', string>>>;
}

export interface WellKnownUpstream {
  kind: string;
  base_url: string;
  api_key?: string;
  access_key?: string;
  secret_key?: string;
  quirks?: TextQuirks;
}

/** A model, or a pattern of models. */
export interface WellKnownModel {
  id: string;
  routes: readonly { upstream: string; model: string }[];
  capabilities?: readonly ModelCapability[];
}

/** Defines a kind; returns its argument with literal types. */
export function defineVendor<const M extends VendorManifest>(manifest: M): M {
  return manifest;
}

/** A model that has the same name at its upstreams. */
export function modelOf(id: string, ...upstreams: string[]): WellKnownModel {
  return { id, routes: upstreams.map((upstream) => ({ upstream, model: id })) };
}

/** All models of an upstream, as `name/…`. */
export function allModelsOf(name: string): WellKnownModel {
  return { id: `${name}/*`, routes: [{ upstream: name, model: '*' }] };
}

/** An upstream with one key, which an environment variable holds. */
export function keyed(kind: string, base_url: string, variable: string): WellKnownUpstream {
  return { kind, base_url, api_key: `\${${variable}}` };
}

/** A vendor with one upstream, named after its kind, and one key. */
export function keyVendor(
  kind: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
): WellKnownVendor {
  return { upstreams: { [kind]: keyed(kind, base_url, variable) }, models: patterns.map((id) => modelOf(id, kind)) };
}

/** A vendor that offers models of many makers: they are called as `kind/…`, too. */
export function modelHost(
  kind: string,
  variable: string,
  base_url: string,
  patterns: readonly string[],
): WellKnownVendor {
  const { upstreams, models } = keyVendor(kind, variable, base_url, patterns);
  return { upstreams, models: [...models, allModelsOf(kind)] };
}
