import { describe, expect, it } from 'vitest';
import { KEYS } from '../../../test/api-rig.ts';
import {
  expectResponsesError,
  type RefusedRequest,
  testRefusals,
  unauthorizedRequests,
} from '../../../test/bad-input/refused-requests.ts';
import { type TextContext, useTextRig } from '../../../test/bad-input/text-rigs.ts';

/** Tests paths that match no stored response. */
function testUnknownIds(context: TextContext, method: string, paths: readonly [title: string, path: string][]): void {
  const call = (path: string, headers?: Record<string, string>) =>
    context.rig.call(path, { method, ...(headers && { headers }) });
  testRefusals(expectResponsesError, {
    401: paths.flatMap(([title, path]) => unauthorizedRequests((headers) => call(path, headers), `${title} and `)),
    404: paths.map(([title, path]): RefusedRequest => [title, () => call(path), 'response_not_found']),
  });
}

describe('GET /v1/responses', () => {
  const context = useTextRig();
  testRefusals(expectResponsesError, {
    426: [['the request is not a WebSocket handshake', () => context.rig.call('/v1/responses'), 'upgrade_required']],
  });

  describe('426', () => {
    it('the method is HEAD', async () => {
      expect((await context.rig.call('/v1/responses', { method: 'HEAD' })).status).toBe(426);
    });
  });
});

describe('GET /v1/responses/:response_id', () => {
  testUnknownIds(useTextRig(), 'GET', [
    ['the id is unknown', '/v1/responses/resp_1'],
    ['the id contains ..', '/v1/responses/..%2f..%2fetc'],
    ['the id contains control characters', '/v1/responses/resp_%00%0d%0a'],
    ['the id is *', '/v1/responses/*'],
    ['the id has 900 characters', `/v1/responses/${'a'.repeat(900)}`],
    ['the id is __proto__', '/v1/responses/__proto__'],
  ]);
});

describe('DELETE /v1/responses/:response_id', () => {
  testUnknownIds(useTextRig(), 'DELETE', [['the id is unknown', '/v1/responses/resp_1']]);
});

describe('POST /v1/responses/:response_id/cancel', () => {
  testUnknownIds(useTextRig(), 'POST', [
    ['the id is unknown', '/v1/responses/resp_1/cancel'],
    ['the id contains ..', '/v1/responses/..%2fx/cancel'],
  ]);
});

describe('GET /v1/responses/:response_id/input_items', () => {
  const context = useTextRig();
  testUnknownIds(context, 'GET', [['the id is unknown', '/v1/responses/resp_1/input_items']]);

  /** Creates a response as Alice and requests its input items. */
  const getItems = async (query: string, init?: RequestInit) => {
    const created = await context.rig.post('/v1/responses', { model: 'by-chat', input: 'hi' });
    const { id } = (await created.json()) as { id: string };
    return context.rig.call(`/v1/responses/${id}/input_items${query}`, init);
  };
  const bob = { headers: { authorization: `Bearer ${KEYS.bob}` } };
  testRefusals(expectResponsesError, {
    400: [
      ['limit is 0', () => getItems('?limit=0'), 'invalid_request', 'limit'],
      ['limit is 101', () => getItems('?limit=101'), 'invalid_request', 'limit'],
      ['limit is not a number', () => getItems('?limit=x'), 'invalid_request', 'limit'],
      ['order is unknown', () => getItems('?order=random'), 'invalid_request', 'order'],
      ['after is repeated', () => getItems('?after=a&after=b'), 'invalid_request', 'after'],
    ],
    404: [
      ['after names an unknown item', () => getItems('?after=msg_x'), 'item_not_found', 'after'],
      ['the response belongs to another key', () => getItems('', bob), 'response_not_found'],
    ],
  });
});
