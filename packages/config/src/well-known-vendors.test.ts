import { describe, expect, it } from 'vitest';
import { checkReferences } from './check-references.ts';
import { expandEnvironment } from './expand-environment.ts';
import { parseSettings } from './parse-settings.ts';
import { SANDBOX, WELL_KNOWN_VENDORS } from './well-known-vendors.ts';

describe('well-known vendors', () => {
  it.each([SANDBOX, ...WELL_KNOWN_VENDORS])('are spelled as a file could spell them: %j', ({ upstreams, models }) => {
    const { variables } = expandEnvironment(upstreams, {});
    const env = Object.fromEntries([...variables.values()].flat().map((variable) => [variable, 'http://set']));
    const expansion = expandEnvironment({ upstreams, models }, env);
    expect(checkReferences(parseSettings(expansion, () => 'here'))).toEqual([]);
  });

  it('do not take each other’s names', () => {
    const vendors = [SANDBOX, ...WELL_KNOWN_VENDORS];
    const upstreams = vendors.flatMap((vendor) => Object.keys(vendor.upstreams));
    const models = vendors.flatMap((vendor) => vendor.models.map(({ id }) => id));
    expect([new Set(upstreams).size, new Set(models).size]).toEqual([upstreams.length, models.length]);
  });

  it('need their own variable, and the sandbox none', () => {
    const unset = [SANDBOX, ...WELL_KNOWN_VENDORS].map(
      ({ upstreams }) => expandEnvironment(upstreams, {}).unset.length,
    );
    expect(unset.map((count) => count > 0)).toEqual([false, ...WELL_KNOWN_VENDORS.map(() => true)]);
  });
});
