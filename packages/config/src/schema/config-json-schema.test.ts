import { describe, expect, it } from 'vitest';
import { configJsonSchema } from './config-json-schema.ts';

describe('configJsonSchema', () => {
  const schema = configJsonSchema();

  it('requires no section and allows no other field', () => {
    expect(schema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(schema.required).toBeUndefined();
  });

  it('has defaults and descriptions, and allows a reference for a number, word, or URL', () => {
    const reference = { type: 'string', pattern: String.raw`\$\{` };
    expect(schema.properties).toMatchObject({
      server: {
        properties: {
          host: { type: 'string', default: '127.0.0.1', description: expect.stringMatching(/./) },
          port: { default: 8080, anyOf: [{ type: 'integer', minimum: 0, maximum: 65_535 }, reference] },
        },
      },
      upstreams: {
        propertyNames: { type: 'string' },
        additionalProperties: {
          required: ['kind', 'base_url'],
          properties: {
            kind: { anyOf: [{ enum: expect.arrayContaining(['videos', 'messages']) }, reference] },
            base_url: { anyOf: [{}, reference] },
            quirks: {
              additionalProperties: false,
              properties: { sampling: { anyOf: [{ type: 'boolean' }, reference] } },
            },
            headers: { additionalProperties: { anyOf: [{ type: 'string' }, reference] } },
          },
        },
      },
    });
  });
});
