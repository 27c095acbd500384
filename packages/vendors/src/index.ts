export { type KindTables, kindTables } from './kind-tables.ts';
export {
  CREDENTIAL_FIELDS,
  type CredentialField,
  type CredentialSet,
  defineVendor,
  keyed,
  MODEL_CAPABILITIES,
  type ModelCapability,
  modelOf,
  type ListedModel,
  type VendorCatalog,
  type VendorManifest,
  type WellKnownModel,
  type WellKnownUpstream,
  type WellKnownVendor,
} from './schema/manifest.ts';
export * from './manifests.ts';
export * from './schema/models.ts';
