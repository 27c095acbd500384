import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addUnknownField, arbitraryOf, fillIn } from '../test/fuzz/body-template.ts';
import { REQUEST_TEMPLATES, TARGETS } from '../test/fuzz/request-templates.ts';
import { findSilentFields } from '../test/fuzz/silent-fields.ts';
import { TEXT_PROTOCOLS, UPSTREAM_PROTOCOLS } from '../test/text-exchange.ts';

/** Requests per pair of protocols. */
const RUNS = Number(process.env['SLUICE_FUZZ_RUNS'] ?? 40);

type Body = Record<string, unknown>;

const PAIRS = TEXT_PROTOCOLS.flatMap((client) =>
  UPSTREAM_PROTOCOLS.filter((upstream) => upstream !== client).map((upstream) => ({ client, upstream })),
);

describe.each(PAIRS)('$client.name to $upstream.name', ({ client, upstream }) => {
  const template = arbitraryOf(REQUEST_TEMPLATES[client.name]);
  const target = fc.constantFrom(...TARGETS[upstream.name]);

  it('carries, reports, or refuses every field', { timeout: 1_000 * RUNS }, () => {
    fc.assert(
      fc.property(template, target, (body, model) => {
        const { silent } = findSilentFields({ client, upstream, target: model }, fillIn(body) as Body); // a template's object
        expect(silent).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });

  it('reports an unknown field of any object', { timeout: 1_000 * RUNS }, () => {
    fc.assert(
      fc.property(template, target, fc.nat(), (body, model, choice) => {
        const sent = fillIn(addUnknownField(body, choice)) as Body; // a template's object
        expect(findSilentFields({ client, upstream, target: model }, sent).silent).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

/** Fields that concern the gateway: the model, streaming, and stored responses. */
const OF_THE_GATEWAY = [
  'model',
  'stream',
  'stream_options',
  'store',
  'background',
  'previous_response_id',
  'conversation',
];
/** Fields that are refused for every request, which would hide all others. */
const REFUSED = ['mcp_servers', 'cachedContent', 'continuationToken'];

it.each(TEXT_PROTOCOLS)('generates every field of $name', ({ name, topLevel }) => {
  const known: object = 'shape' in topLevel && topLevel.shape instanceof Object ? topLevel.shape : {};
  const bodies = fc.sample(arbitraryOf(REQUEST_TEMPLATES[name]), { numRuns: 1_000, seed: 1 });
  const generated = new Set(bodies.flatMap((body) => Object.keys(body as Body)));
  const expected = Object.keys(known)
    .filter((field) => ![...OF_THE_GATEWAY, ...REFUSED].includes(field))
    .filter((field) => name !== 'generative-content' || !field.includes('_'));
  expect(expected.length).toBeGreaterThan(6);
  expect(expected.filter((field) => !generated.has(field))).toEqual([]);
});
