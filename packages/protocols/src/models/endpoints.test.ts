import { describe, expect, it } from 'vitest';
import type { TextProtocol } from '../contracts/text-protocol.ts';
import { modelsEndpoints } from './endpoints.ts';

// The endpoints only pass the protocol on.
const chatCompletions = { name: 'chat-completions' } as TextProtocol;
const generativeContent = { name: 'generative-content' } as TextProtocol;

describe('model endpoints', () => {
  const routes = modelsEndpoints({ chatCompletions, generativeContent });

  it('are two under each prefix, with the errors of their protocol', () => {
    expect(routes.map(({ method, path, action, protocol }) => `${method} ${path} ${action} ${protocol.name}`)).toEqual([
      'GET /v1/models models.list chat-completions',
      'GET /v1/models/*model models.retrieve chat-completions',
      'GET /v1beta/models models.list generative-content',
      'GET /v1beta/models/*model models.retrieve generative-content',
    ]);
  });

  it('document the credentials that select a style', () => {
    expect(routes[0].credentials).toEqual(['bearer', 'x-api-key', 'x-gen-api-key', 'key-query']);
    expect(routes[2].credentials).toEqual(['x-gen-api-key', 'key-query', 'bearer']);
  });
});
