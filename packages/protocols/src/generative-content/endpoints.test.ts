import { describe, expect, it } from 'vitest';
import { generativeContentEndpoints } from './endpoints.ts';
import { generativeContentProtocol } from './protocol.ts';

describe('generativeContentEndpoints', () => {
  it('support the same three verbs under both prefixes', () => {
    const routes = generativeContentEndpoints.map(({ path, verb, action }) => `${path} ${verb} ${action}`);
    expect(routes).toEqual(
      ['/v1beta', '/v1'].flatMap((prefix) => [
        `${prefix}/models/*model generateContent text.generate`,
        `${prefix}/models/*model streamGenerateContent text.generate`,
        `${prefix}/models/*model countTokens text.count-tokens`,
      ]),
    );
  });

  it('have unique operation ids', () => {
    const ids = generativeContentEndpoints.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

it('supports token counting', () => {
  expect(generativeContentProtocol.tokenCounting).toBeDefined();
});
