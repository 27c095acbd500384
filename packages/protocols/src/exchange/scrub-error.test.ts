import type { TextProtocolName } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { scrubError } from './scrub-error.ts';

const scrub = (text: string) => text.replaceAll('sk-secret', '[hidden]');
const error = { message: 'no sk-secret' };

describe('scrubError', () => {
  it.each<[TextProtocolName, unknown]>([
    ['chat-completions', { choices: [], error }],
    ['messages', { type: 'error', error }],
    ['generative-content', { error }],
    ['responses', { type: 'error', message: 'no sk-secret' }],
    ['responses', { type: 'response.failed', response: { id: 'resp_1', error } }],
    ['responses', { id: 'resp_1', status: 'failed', error }],
  ])('scrubs the error of %s in %j', (protocol, body) => {
    const text = scrubError(protocol, JSON.stringify(body), scrub);
    expect(text).toBe(JSON.stringify(body).replace('sk-secret', '[hidden]'));
  });

  it('does not change the model’s text', () => {
    const response = JSON.stringify({ output: [{ text: 'sk-secret' }], error: null });
    expect(scrubError('responses', response, scrub)).toBe(response);
  });
});
