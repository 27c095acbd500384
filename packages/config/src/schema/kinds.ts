import { kindTables, MANIFESTS, type ModelCapability, type UpstreamKindName } from '@sluice/vendors';

export const KINDS = kindTables<UpstreamKindName>(MANIFESTS);

export const UPSTREAM_KINDS: readonly UpstreamKindName[] = KINDS.kinds;

export function capabilitiesOfKind(kind: UpstreamKindName): readonly ModelCapability[] {
  return KINDS.capabilitiesOf(kind);
}

export function isMediaKind(kind: UpstreamKindName): boolean {
  return capabilitiesOfKind(kind).some((capability) => capability === 'video' || capability === 'image');
}

export const TEXT_UPSTREAM_KINDS = UPSTREAM_KINDS.filter((kind) => capabilitiesOfKind(kind).includes('text'));

export function isTextKind(kind: string): boolean {
  return TEXT_UPSTREAM_KINDS.some((text) => text === kind);
}

export function formatCredentials(kind: UpstreamKindName): string {
  const sets = KINDS.credentialsOf(kind).map((set) => set.map((field) => `\`${field}\``).join(' and '));
  const clouds = KINDS.identitiesOf(kind);
  const identity = clouds.length > 0 ? [`\`identity\` (${clouds.join(', ')})`] : [];
  const none = sets.includes('') ? ['none'] : [];
  return [...sets.filter((set) => set !== ''), ...identity, ...none].join(', or ');
}
