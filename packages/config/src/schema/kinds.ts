import { kindTables, MANIFESTS, type ModelCapability, type UpstreamKindName } from '@sluice/vendors';

/** Everything that the configuration knows of upstream kinds. */
export const KINDS = kindTables<UpstreamKindName>(MANIFESTS);

export const UPSTREAM_KINDS: readonly UpstreamKindName[] = KINDS.kinds;

export function capabilitiesOfKind(kind: UpstreamKindName): readonly ModelCapability[] {
  return KINDS.capabilitiesOf(kind);
}

/** Whether a kind makes videos or images: workers serve it. */
export function isMediaKind(kind: UpstreamKindName): boolean {
  return capabilitiesOfKind(kind).some((capability) => capability === 'video' || capability === 'image');
}

/** The kinds that serve text; each has the name of its protocol. */
export const TEXT_UPSTREAM_KINDS = UPSTREAM_KINDS.filter((kind) => capabilitiesOfKind(kind).includes('text'));

export function isTextKind(kind: string): boolean {
  return TEXT_UPSTREAM_KINDS.some((text) => text === kind);
}

/** The credentials of a kind, as text. */
export function formatCredentials(kind: UpstreamKindName): string {
  const sets = KINDS.credentialsOf(kind).map((set) => set.map((field) => `\`${field}\``).join(' and '));
  return sets.map((set) => set || 'none').join(', or ');
}
