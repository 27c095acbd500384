import type { PriceList } from './schema/price-list.ts';
import type {
  CredentialSet,
  ModelCapability,
  UpstreamField,
  VendorManifest,
  WellKnownVendor,
} from './schema/manifest.ts';

export interface KindTables<K extends string> {
  kinds: readonly K[];
  capabilitiesOf: (kind: K) => readonly ModelCapability[];
  credentialsOf: (kind: K) => readonly CredentialSet[];
  acceptsField: (kind: K, field: UpstreamField) => boolean;
  kindWith: (field: UpstreamField) => K | undefined;
  sandboxPathOf: (kind: K) => string;
  /** Vendors that environment variables enable, in the order of the manifests. */
  vendors: readonly WellKnownVendor[];
  headers: readonly string[];
  pricesOf: (kind: K) => readonly PriceList[];
}

export function kindTables<K extends string>(manifests: readonly (VendorManifest & { kind: K })[]): KindTables<K> {
  const byKind = new Map(manifests.map((manifest) => [manifest.kind, manifest]));
  return {
    kinds: manifests.map(({ kind }) => kind),
    capabilitiesOf: (kind) => byKind.get(kind)?.capabilities ?? [],
    credentialsOf: (kind) => byKind.get(kind)?.credentials ?? [],
    acceptsField: (kind, field) => byKind.get(kind)?.fields?.includes(field) ?? false,
    kindWith: (field) => manifests.find(({ fields }) => fields?.includes(field))?.kind,
    sandboxPathOf: (kind) => byKind.get(kind)?.sandboxPath ?? '',
    vendors: manifests.flatMap(({ vendors = [] }) => vendors),
    pricesOf: (kind) => byKind.get(kind)?.prices ?? [],
    headers: [...new Set(manifests.flatMap(({ headers = [] }) => headers))],
  };
}
