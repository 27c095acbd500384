import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { encodeBreak } from './encode-break.ts';

describe('encodeBreak', () => {
  it('fails the response that started, with its id and the next sequence number', () => {
    const text = encodeBreak(
      new GatewayError('provider_error', 'It broke off.'),
      { id: 'resp_1', status: 'in_progress' },
      7,
    );
    expect(text).toMatch(/^event: response\.failed\n/);
    expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
      type: 'response.failed',
      sequence_number: 8,
      response: { id: 'resp_1', status: 'failed', error: { code: 'server_error', message: 'It broke off.' } },
    });
  });
});
