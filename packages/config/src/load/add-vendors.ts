import type { WellKnownVendor } from '@sluice/vendors';
import { type Environment, expandEnvironment, type Expansion, pathKey } from './expand-environment.ts';
import { credentialOwner, parseSettings } from './parse-settings.ts';
import type { ConfigFile } from '../schema/schema.ts';

interface WithVendors {
  whole: ConfigFile;
  /** Credentials of added upstreams whose variable is not set. */
  unset: Expansion['unset'];
}

/**
 * Adds vendors' upstreams, models, and defaults. Names in the settings win over all vendors; of two vendors, the first
 * whose variables are all set wins.
 *
 * A vendor without any of its variables is left out silently. One that has only some, such as half of a pair, is added
 * without them and reported as disabled.
 */
export function addVendors(settings: ConfigFile, vendors: readonly WellKnownVendor[], env: Environment): WithVendors {
  const whole = { ...settings, upstreams: { ...settings.upstreams }, models: [...settings.models] };
  const gaps: Expansion['unset'] = [];
  const expanded = vendors.map((vendor) => ({ vendor, expansion: expansionOf(vendor, env) }));
  const on = expanded.filter(({ expansion }) => expansion.unset.length === 0);
  whole.defaults = Object.assign({}, ...on.map(({ vendor }) => vendor.defaults).toReversed(), settings.defaults);
  const expansions = expanded.map(({ expansion }) => expansion);
  const complete = on.map(({ expansion }) => expansion);
  for (const expansion of [...complete, ...expansions.filter(isHalfSet)]) {
    const variables = namesIn(expansion).join(', ');
    const added = parseSettings(expansion, (field) => expansion.variables.get(pathKey(field))?.join(', ') ?? variables);
    const taken = new Set(Object.keys(whole.upstreams));
    gaps.push(...expansion.unset.filter(({ path }) => !taken.has(credentialOwner(path) ?? '')));
    whole.upstreams = { ...added.upstreams, ...whole.upstreams };
    whole.models.push(...added.models.filter((model) => !whole.models.some(({ id }) => id === model.id)));
  }
  return { whole, unset: gaps };
}

function expansionOf({ upstreams, models }: WellKnownVendor, env: Environment): Expansion {
  return expandEnvironment({ upstreams, models }, env);
}

function isHalfSet(expansion: Expansion): boolean {
  const unset = new Set(expansion.unset.map(({ variable }) => variable));
  return unset.size > 0 && namesIn(expansion).some((name) => !unset.has(name));
}

function namesIn({ variables }: Expansion): string[] {
  return [...new Set([...variables.values()].flat())];
}
