import { describe, expect, it } from 'vitest';
import {
  expectGoogleError,
  expectOpenAiError,
  testRefusals,
  unauthorizedRequests,
} from '../../../test/bad-input/refused-requests.ts';
import { type TextContext, useTextRig } from '../../../test/bad-input/text-rigs.ts';

const get = (context: TextContext, path: string) => context.rig.call(path);

function testHead(context: TextContext, path: string): void {
  describe('200', () => {
    it('the method is HEAD; the response has no body', async () => {
      const response = await context.rig.call(path, { method: 'HEAD' });
      expect(response.status).toBe(200);
      expect(await response.text()).toBe('');
    });
  });
}

function testPost(context: TextContext, path: string, expectError: typeof expectOpenAiError): void {
  describe('405', () => {
    it('the method is POST', async () => {
      const response = await context.rig.call(path, { method: 'POST' });
      expect(response.headers.get('allow')).toBe('GET, HEAD');
      await expectError(response, { status: 405, code: 'method_not_allowed', param: null });
    });
  });
}

describe('GET /v1/models', () => {
  const context = useTextRig();
  testRefusals(expectOpenAiError, {
    400: [
      ['limit is 0', () => get(context, '/v1/models?limit=0'), 'invalid_request', 'limit'],
      ['limit is not a number', () => get(context, '/v1/models?limit=all'), 'invalid_request', 'limit'],
      ['limit is a fraction', () => get(context, '/v1/models?limit=1.5'), 'invalid_request', 'limit'],
    ],
  });
  testPost(context, '/v1/models', expectOpenAiError);
  testHead(context, '/v1/models');
});

describe('GET /v1beta/models', () => {
  const context = useTextRig();
  testRefusals(expectGoogleError, {
    400: [
      ['pageSize is negative', () => get(context, '/v1beta/models?pageSize=-1'), 'invalid_request', 'pageSize'],
      ['pageSize is not a number', () => get(context, '/v1beta/models?pageSize=x'), 'invalid_request', 'pageSize'],
      [
        'pageToken is repeated',
        () => get(context, '/v1beta/models?pageToken=a&pageToken=b'),
        'invalid_request',
        'pageToken',
      ],
    ],
  });
  testPost(context, '/v1beta/models', expectGoogleError);
  testHead(context, '/v1beta/models');
});

describe('GET /v1/models/:model', () => {
  const context = useTextRig();
  testRefusals(expectOpenAiError, {
    401: [
      ...unauthorizedRequests((headers) => context.rig.call('/v1/models/no-such-model', { headers })),
      ...unauthorizedRequests(
        (headers) => context.rig.call('/v1/models/..%2f..%2fetc', { headers }),
        'the model contains .. and ',
      ),
    ],
    404: [
      ['model is not configured', () => get(context, '/v1/models/no-such-model'), 'model_not_found', 'model'],
      ['the model contains ..', () => get(context, '/v1/models/..%2f..%2fetc'), 'model_not_found', 'model'],
    ],
  });
  testHead(context, '/v1/models/by-chat');
});

describe('GET /v1beta/models/:model', () => {
  const context = useTextRig();
  const withAction = '/v1beta/models/by-gemini:generateContent';
  testRefusals(expectGoogleError, {
    401: [
      ...unauthorizedRequests((headers) => context.rig.call('/v1beta/models/no-such-model', { headers })),
      ...unauthorizedRequests((headers) => context.rig.call(withAction, { headers }), 'the path has an action and '),
    ],
    404: [
      ['model is not configured', () => get(context, '/v1beta/models/no-such-model'), 'model_not_found', 'model'],
      ['the path has an action', () => get(context, withAction), 'model_not_found', 'model'],
    ],
  });
});
