import { describe, expect, it } from 'vitest';
import { checkReferences } from './check-references.ts';
import { expandEnvironment } from './expand-environment.ts';
import { parseSettings } from './parse-settings.ts';
import { SANDBOX, WELL_KNOWN_VENDORS } from './well-known-vendors.ts';

describe('well-known vendors', () => {
  it.each([SANDBOX, ...WELL_KNOWN_VENDORS])(
    '$name is spelled as a file could spell it',
    ({ name, upstream, models }) => {
      const { variables } = expandEnvironment(upstream, {});
      const env = Object.fromEntries([...variables.values()].flat().map((variable) => [variable, 'http://set']));
      const expansion = expandEnvironment({ upstreams: { [name]: upstream }, models }, env);
      expect(checkReferences(parseSettings(expansion, () => name))).toEqual([]);
    },
  );
});
