import { describe, expect, it } from 'vitest';
import { chatCompletionsEndpoints } from './endpoints.ts';
import { chatCompletionsProtocol } from './protocol.ts';

describe('chat completions endpoint', () => {
  it('has the path that SDKs call, with a Bearer key', () => {
    const [route] = chatCompletionsEndpoints;
    expect(chatCompletionsEndpoints).toHaveLength(1);
    expect(`${route.method} ${route.path}`).toBe('POST /v1/chat/completions');
    expect(route).toMatchObject({
      action: 'text.generate',
      credentials: ['bearer'],
      operationId: 'createChatCompletion',
    });
    expect(route.protocol).toBe(chatCompletionsProtocol);
  });
});
