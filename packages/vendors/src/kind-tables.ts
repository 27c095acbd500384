import type { PriceList } from './schema/price-list.ts';
import type {
  CredentialSet,
  IdentityCloud,
  ModelCapability,
  UpstreamField,
  VendorManifest,
  WellKnownVendor,
} from './schema/manifest.ts';
import { findModel } from './schema/models.ts';

export interface KindTables<K extends string> {
  kinds: readonly K[];
  capabilitiesOf: (kind: K) => readonly ModelCapability[];
  credentialsOf: (kind: K) => readonly CredentialSet[];
  identitiesOf: (kind: K) => readonly IdentityCloud[];
  acceptsField: (kind: K, field: UpstreamField) => boolean;
  kindsWith: (field: UpstreamField) => readonly K[];
  outputOf: (kind: K) => VendorManifest['output'];
  /** Whether a model can generate videos or images. Undefined if only the vendor knows. */
  generatesMedia: (kind: K, model: string) => boolean | undefined;
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
    identitiesOf: (kind) => byKind.get(kind)?.identities ?? [],
    acceptsField: (kind, field) => byKind.get(kind)?.fields?.includes(field) ?? false,
    kindsWith: (field) => manifests.filter(({ fields }) => fields?.includes(field)).map(({ kind }) => kind),
    outputOf: (kind) => byKind.get(kind)?.output,
    generatesMedia: (kind, model) => {
      const { listsMediaModels, catalogs = [] } = byKind.get(kind) ?? {};
      return listsMediaModels && catalogs.some(({ models }) => findModel(models, model) !== undefined);
    },
    sandboxPathOf: (kind) => byKind.get(kind)?.sandboxPath ?? '',
    vendors: manifests.flatMap(({ vendors = [] }) => vendors),
    pricesOf: (kind) => byKind.get(kind)?.prices ?? [],
    headers: [...new Set(manifests.flatMap(({ headers = [] }) => headers))],
  };
}
