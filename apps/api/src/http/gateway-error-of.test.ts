import { GatewayError } from '@sluice/canonical';
import { describe, expect, it } from 'vitest';
import { gatewayErrorOf } from './gateway-error-of.ts';

describe('gatewayErrorOf', () => {
  it('leaves gateway errors unchanged', () => {
    const error = new GatewayError('task_final', 'Ended.');
    expect(gatewayErrorOf(error)).toBe(error);
  });

  it.each([
    ['FST_ERR_CTP_BODY_TOO_LARGE', 'payload_too_large'],
    ['FST_FILES_LIMIT', 'invalid_request'],
    ['FST_PARTS_LIMIT', 'invalid_request'],
    ['FST_FIELDS_LIMIT', 'invalid_request'],
    ['FST_ERR_CTP_INVALID_MEDIA_TYPE', 'unsupported_media_type'],
    ['FST_ERR_MAX_PARAM_LENGTH', 'not_found'],
    ['FST_PROTO_VIOLATION', 'invalid_request'],
  ])('converts %s', (code, expected) => {
    expect(gatewayErrorOf(Object.assign(new Error('inner'), { code, statusCode: 418 })).code).toBe(expected);
  });

  it('blames the client for other 4xx errors, without quoting the library', () => {
    const error = gatewayErrorOf(Object.assign(new Error('inner detail'), { statusCode: 400 }));
    expect(error).toMatchObject({ code: 'invalid_request', status: 400, retryable: false });
    expect(error.message).not.toContain('inner');
  });

  it.each([new Error('/etc/secret'), 'text', null, undefined, { statusCode: 502 }, { statusCode: 'x' }])(
    'converts %j to an internal error that is not retryable, and hides the cause',
    (thrown) => {
      const error = gatewayErrorOf(thrown);
      expect(error).toMatchObject({ code: 'internal_error', status: 500, retryable: false });
      expect(error.cause).toBe(thrown);
      expect(error.message).not.toContain('secret');
    },
  );
});
