import { ENDPOINTS } from '@sluice/protocols';
import { expect, it } from 'vitest';
import { HOSTILE_BODIES } from '../../test/security/malformed-bodies.ts';
import { HOSTILE_FORMS } from '../../test/security/malformed-forms.ts';
import { HOSTILE_HEADERS } from '../../test/security/malformed-headers.ts';
import { HOSTILE_PATHS } from '../../test/security/malformed-paths.ts';
import { FRAMING, SMUGGLING, TARGETS } from '../../test/security/request-framing.ts';

const inputs = [HOSTILE_BODIES, HOSTILE_FORMS, HOSTILE_HEADERS, HOSTILE_PATHS, FRAMING, SMUGGLING, TARGETS].flat();
const takes = (type: string) => ENDPOINTS.filter(({ body }) => body && type in body.content).length;
const sent =
  HOSTILE_BODIES.length * takes('application/json') +
  HOSTILE_FORMS.length * takes('multipart/form-data') +
  HOSTILE_PATHS.length * 6 +
  [HOSTILE_HEADERS, FRAMING, SMUGGLING, TARGETS].flat().length;

it(`${inputs.length} hostile inputs are written down, which make ${sent} requests`, () => {
  expect(inputs.length).toBeGreaterThanOrEqual(200);
});
