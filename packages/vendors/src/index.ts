export { type KindTables, kindTables } from './kind-tables.ts';
export {
  CREDENTIAL_FIELDS,
  type CredentialField,
  type CredentialSet,
  defineVendor,
  IDENTITY_SECRETS,
  type IdentityCloud,
  keyed,
  MODEL_CAPABILITIES,
  type ModelCapability,
  UPSTREAM_FIELDS,
  modelOf,
  type ListedModel,
  type VendorCatalog,
  type VendorManifest,
  type WellKnownModel,
  type WellKnownUpstream,
  type WellKnownVendor,
} from './schema/manifest.ts';
export * from './manifests.ts';
export { betasAt } from './messages/betas.ts';
export * from './schema/models.ts';
export type { PriceList } from './schema/price-list.ts';
export type { MediaRate, MediaTraits, Rates, RateTier, TokenRates } from './schema/rates.ts';
export { TEXT_CATALOG, type TextVendor, textVendorAt } from './prices/text-catalog.ts';
