import type { WellKnownVendor } from '@sluice/vendors';
import { type Environment, expandEnvironment, type Expansion, pathKey } from './expand-environment.ts';
import { credentialOwner, parseSettings } from './parse-settings.ts';
import type { ConfigFile } from '../schema/schema.ts';

interface ExtendedSettings {
  settings: ConfigFile;
  /** Credentials of the added upstreams that refer to an unset variable. */
  unset: Expansion['unset'];
}

/**
 * Adds the vendors' upstreams, models, and defaults. Names in the settings take precedence over vendors. If two vendors
 * have the same name, the first whose variables are all set takes precedence. A vendor with no variables set is
 * skipped. A vendor with only some of them set (e.g. half of a key pair) is added and reported as disabled, unless its
 * address is not set.
 */
export function addVendors(
  settings: ConfigFile,
  vendors: readonly WellKnownVendor[],
  env: Environment,
): ExtendedSettings {
  const extended = { ...settings, upstreams: { ...settings.upstreams }, models: [...settings.models] };
  const unset: Expansion['unset'] = [];
  const expanded = vendors
    .map((vendor) => {
      const { upstreams, models } = vendor;
      return { vendor, expansion: expandEnvironment({ upstreams, models }, env) };
    })
    .filter(({ expansion }) => expansion.unset.every(({ path }) => credentialOwner(path) !== undefined));
  const complete = expanded.filter(({ expansion }) => expansion.unset.length === 0);
  extended.defaults = Object.assign(
    {},
    ...complete.map(({ vendor }) => vendor.defaults).toReversed(),
    settings.defaults,
  );
  for (const { expansion } of [...complete, ...expanded.filter((vendor) => isHalfSet(vendor.expansion))]) {
    const variables = namesIn(expansion).join(', ');
    const added = parseSettings(expansion, (field) => expansion.variables.get(pathKey(field))?.join(', ') ?? variables);
    const taken = new Set(Object.keys(extended.upstreams));
    unset.push(...expansion.unset.filter(({ path }) => !taken.has(credentialOwner(path) ?? '')));
    extended.upstreams = { ...added.upstreams, ...extended.upstreams };
    extended.models.push(...added.models.filter((model) => !extended.models.some(({ id }) => id === model.id)));
  }
  return { settings: extended, unset };
}

function isHalfSet(expansion: Expansion): boolean {
  const unset = new Set(expansion.unset.map(({ variable }) => variable));
  return unset.size > 0 && namesIn(expansion).some((name) => !unset.has(name));
}

function namesIn({ variables }: Expansion): string[] {
  return [...new Set([...variables.values()].flat())];
}
