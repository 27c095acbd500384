import { describe, expect, it } from 'vitest';
import { completionsEndpoints } from './endpoints.ts';

describe('text completions endpoint', () => {
  it('has the path that SDKs call, with the errors of chat completions', () => {
    const [route] = completionsEndpoints;
    expect(completionsEndpoints).toHaveLength(1);
    expect(`${route.method} ${route.path}`).toBe('POST /v1/completions');
    expect(route).toMatchObject({ action: 'text.complete', operationId: 'createCompletion', credentials: ['bearer'] });
    expect(route.protocol.name).toBe('chat-completions');
  });
});
