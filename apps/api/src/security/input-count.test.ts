import { ENDPOINTS } from '@sluice/protocols';
import { expect, it } from 'vitest';
import { MALFORMED_BODIES } from '../../test/security/malformed-bodies.ts';
import { MALFORMED_FORMS } from '../../test/security/malformed-forms.ts';
import { MALFORMED_HEADERS } from '../../test/security/malformed-headers.ts';
import { MALFORMED_PATHS } from '../../test/security/malformed-paths.ts';
import { FRAMING, SMUGGLING, TARGETS } from '../../test/security/request-framing.ts';

const inputs = [
  MALFORMED_BODIES,
  MALFORMED_FORMS,
  MALFORMED_HEADERS,
  MALFORMED_PATHS,
  FRAMING,
  SMUGGLING,
  TARGETS,
].flat();
const endpointsAccepting = (type: string) => ENDPOINTS.filter(({ body }) => body && type in body.content).length;
const sent =
  MALFORMED_BODIES.length * endpointsAccepting('application/json') +
  MALFORMED_FORMS.length * endpointsAccepting('multipart/form-data') +
  MALFORMED_PATHS.length * 6 +
  [MALFORMED_HEADERS, FRAMING, SMUGGLING, TARGETS].flat().length;

it(`${sent} requests send ${inputs.length} malformed inputs`, () => {
  expect(inputs.length).toBeGreaterThanOrEqual(200);
});
