import { ENDPOINTS } from '@sluice/protocols';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { arbitraryOfSchema, type JsonSchema } from '../../test/security/arbitrary-of-schema.ts';
import { validBody, pathOf } from '../../test/security/valid-bodies.ts';
import { type FullRig, fullRig } from '../../test/security/full-rig.ts';
import { expectSafeResponse, readResponse } from '../../test/security/safe-response.ts';
import { buildOpenApi } from '../operations/openapi.ts';

/** Number of bodies per endpoint. */
const RUNS = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 25);
const SEED = 20_261;

interface Operation {
  requestBody?: { content: Record<string, { schema: JsonSchema }> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, JsonSchema> };
}

const TESTED = ENDPOINTS.flatMap((endpoint) => {
  // One document per endpoint: the complete one merges endpoints that a query distinguishes.
  const { paths, components } = buildOpenApi('1', [endpoint]) as Document; // this test reads only this part
  const [operation] = Object.values(paths).flatMap((methods) => Object.values(methods));
  const schema = operation?.requestBody?.content['application/json']?.schema;
  return schema ? [{ endpoint, schema, schemas: components.schemas }] : [];
});

let rig: FullRig;
beforeAll(async () => {
  rig = await fullRig();
});
afterAll(() => rig.close());

let sent = 0;
/** Fields that every request needs with a valid value. Otherwise the other fields would not be checked. */
const KNOWN = new Set(['model', 'model_name', 'req_key', 'voice']);

describe('random bodies derived from the OpenAPI schemas', () => {
  it.each(TESTED.map((one) => [one.endpoint.operationId, one] as const))(
    `%s returns no internal error for any of ${RUNS} bodies`,
    async (_name, { endpoint, schema, schemas }) => {
      const known = Object.fromEntries(
        Object.entries(validBody(endpoint, rig.created)).filter(([name]) => KNOWN.has(name)),
      );
      await fc.assert(
        fc.asyncProperty(arbitraryOfSchema(schema, schemas, known), async (body) => {
          sent += 1;
          const text = JSON.stringify(body);
          const response = await readResponse(
            await fetch(rig.origin + pathOf(endpoint, rig.created), {
              method: endpoint.method,
              headers: {
                authorization: `Bearer ${KEYS.alice}`,
                'content-type': 'application/json',
                'messages-version': '2023-06-01',
              },
              body: text,
            }),
          );
          expectSafeResponse(text.slice(0, 400), response, endpoint);
        }),
        { numRuns: RUNS, seed: SEED, endOnFailure: true },
      );
      expect(await rig.isServing()).toBe(true);
    },
    120_000,
  );

  it('changes no prototype and logs no internal error', () => {
    expect(sent).toBeGreaterThanOrEqual(TESTED.length * RUNS);
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined();
    const lines = rig.logs().split('\n');
    expect(lines.filter((line) => /"code":"internal_error"|unhandled/i.test(line))).toEqual([]);
  });
});
