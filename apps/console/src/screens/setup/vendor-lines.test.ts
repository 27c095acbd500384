import { describe, expect, it } from 'vitest';
import { vendorLines } from './vendor-lines.ts';

const VENDOR = {
  name: 'acme',
  source: 'catalog' as const,
  is_configured: false,
  lists_models: true,
  base_url: 'https://acme.example/v1',
  variables: ['ACME_KEY'],
  upstreams: {
    acme: {
      kind: 'chat-completions',
      base_url: 'https://acme.example/v1',
      api_key: '${ACME_KEY}',
      quirks: { json_schema: false },
    },
  },
  models: [{ id: 'm-*', routes: [{ upstream: 'acme', model: 'm-*' }] }],
};
const UPSTREAM = `upstreams:
  acme:
    kind: chat-completions
    base_url: https://acme.example/v1
    api_key: "\${ACME_KEY}"
    quirks: { json_schema: false }
models:
`;

describe('vendorLines', () => {
  it('has the patterns of all models', () => {
    expect(vendorLines(VENDOR, [])).toBe(`${UPSTREAM}  - { id: "m-*", routes: [{ upstream: acme, model: "m-*" }] }`);
  });

  it('has the routes of the pattern for a selected model, and else the vendor’s own', () => {
    expect(vendorLines(VENDOR, ['m-1', 'x: {y}'])).toBe(
      `${UPSTREAM}  - { id: m-1, routes: [{ upstream: acme, model: m-1 }] }\n` +
        '  - { id: "x: {y}", routes: [{ upstream: acme, model: "x: {y}" }] }',
    );
  });
});
