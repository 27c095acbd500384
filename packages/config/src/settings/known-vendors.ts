import type { WellKnownModel, WellKnownUpstream, WellKnownVendor } from '@sluice/vendors';
import { KINDS } from '../schema/kinds.ts';

/** A vendor that Sluice knows without a configuration, in the format of `sluice.yaml`. */
export interface KnownVendor {
  /** Name of its first upstream. */
  name: string;
  /** Environment variables of its credentials. */
  variables: string[];
  upstreams: Readonly<Record<string, WellKnownUpstream>>;
  models: readonly WellKnownModel[];
}

const VARIABLE = /\$\{(\w+)\}/g;

/** Lists the vendors with a fixed address. */
export function knownVendors(): KnownVendor[] {
  return KINDS.vendors.filter(hasAddress).map(({ upstreams, models }) => ({
    name: Object.keys(upstreams)[0] ?? '',
    variables: [...new Set(Object.values(upstreams).flatMap(variablesOf))],
    upstreams,
    models,
  }));
}

function hasAddress({ upstreams }: WellKnownVendor): boolean {
  return Object.values(upstreams).every(({ base_url: url }) => !url.includes('${'));
}

function variablesOf({ api_key, access_key, secret_key }: WellKnownUpstream): string[] {
  const text = [api_key, access_key, secret_key].join(' ');
  return [...text.matchAll(VARIABLE)].flatMap(([, name]) => name ?? []);
}
