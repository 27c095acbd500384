import type { QuirksConfig } from './quirks-schema.ts';
import type { ConfigFile } from './schema.ts';
import type { ModelCapability, UpstreamKindName } from './upstream-schema.ts';

/** A vendor that is on without a configuration file, spelled as in `sluice.yaml`. */
export interface WellKnownVendor {
  /** Its upstreams by name. When a variable that they name is not set, the vendor is off. */
  upstreams: Readonly<Record<string, WellKnownUpstream>>;
  models: readonly WellKnownModel[];
  /** Models of requests that name none, while the vendor is on. */
  defaults?: Partial<ConfigFile['defaults']>;
}

/** An upstream of a vendor; its credentials name environment variables. */
export interface WellKnownUpstream {
  kind: UpstreamKindName;
  base_url: string;
  api_key?: string;
  access_key?: string;
  secret_key?: string;
  quirks?: QuirksConfig;
}

/** A model, or a pattern of models, of a vendor. */
export interface WellKnownModel {
  id: string;
  routes: readonly { upstream: string; model: string }[];
  capabilities?: readonly ModelCapability[];
}

/** A model that is called at its upstreams as it is here; a pattern is called as it was asked for. */
export function modelOf(id: string, ...upstreams: string[]): WellKnownModel {
  return { id, routes: upstreams.map((upstream) => ({ upstream, model: id })) };
}

/** All models of a vendor, each asked for as `name/…`. */
export function allModelsOf(name: string): WellKnownModel {
  return { id: `${name}/*`, routes: [{ upstream: name, model: '*' }] };
}

/** The fields of an upstream whose one credential stands in a variable. */
export function keyed(kind: UpstreamKindName, base_url: string, variable: string): WellKnownUpstream {
  return { kind, base_url, api_key: `\${${variable}}` };
}
