import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { onlyGatewayErrors, refusal } from '../../test/refusals.ts';
import {
  decodeChange,
  decodeDeliveryPage,
  decodeRotation,
  decodeTest,
  decodeWebhook,
  decodeWebhookPage,
} from './request.ts';

const url = 'https://client.test/hook';

describe('decodeWebhook', () => {
  it('subscribes to every event by default, and to each once', () => {
    const tasks = ['video.completed', 'video.failed', 'image.completed', 'image.failed'];
    const responses = ['response.completed', 'response.failed', 'response.incomplete', 'response.cancelled'];
    const batches = ['batch.completed', 'batch.failed', 'batch.expired', 'batch.cancelled'];
    const groups = ['group.completed', 'group.cancelled'];
    const events = [...tasks, ...responses, ...batches, ...groups];
    expect(decodeWebhook({ url })).toEqual({ url, name: '', enabled: true, events });
    const some = { url, events: ['image.failed', 'video.failed', 'image.failed'], name: null, enabled: 'false' };
    expect(decodeWebhook(some)).toEqual({ url, name: '', enabled: false, events: ['video.failed', 'image.failed'] });
  });

  it.each([undefined, [], 'x', { url: '' }])('rejects %j', (fields) => {
    expect(() => decodeWebhook(fields)).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});

it('decodeChange returns only the fields of the body', () => {
  expect(decodeChange(undefined)).toEqual({});
  expect(decodeChange({ name: '', enabled: false })).toEqual({ name: '', enabled: false });
  expect(decodeChange({ event_types: ['video.failed'] })).toEqual({ events: ['video.failed'] });
  expect(() => decodeChange({ url: null })).toThrow(refusal('url'));
});

it("decodeRotation keeps the previous secret by the path's default or on request", () => {
  expect(decodeRotation(undefined, true)).toEqual({ keepsPrevious: true });
  expect(decodeRotation({}, false)).toEqual({ keepsPrevious: false });
  expect(decodeRotation({ keep_previous: false }, true)).toEqual({ keepsPrevious: false });
  expect(decodeRotation({ keep_old_secret_active_for_24_hours: true }, false)).toEqual({ keepsPrevious: true });
  expect(() => decodeRotation({ keep_previous: 5 }, true)).toThrow(refusal('keep_previous'));
});

it('decodeTest accepts a known event', () => {
  expect(decodeTest(undefined)).toEqual({});
  expect(decodeTest({ event_type: 'image.failed' })).toEqual({ type: 'image.failed' });
  expect(() => decodeTest({ event_type: 'audio.completed' })).toThrow(refusal('event_type'));
});

it.each([
  [decodeWebhookPage, 'whe_1', 'whd_1'],
  [decodeDeliveryPage, 'whd_1', 'whe_1'],
])('%o enforces its limits', (decode, id, otherId) => {
  expect(decode({ limit: '100', after: id })).toEqual({ limit: 100, after: id });
  expect(decode({})).toEqual({ limit: 20 });
  for (const limit of ['0', '101', 'x']) expect(() => decode({ limit })).toThrow(refusal('limit'));
  for (const after of ['../x', 'zz', otherId]) expect(() => decode({ after })).toThrow(refusal('after'));
});

it('decoders throw only gateway errors on any body', () => {
  const fields = fc.dictionary(
    fc.constantFrom('url', 'events', 'event_types', 'name', 'enabled', 'keep_previous', 'event_type', 'after', 'limit'),
    fc.anything(),
  );
  fc.assert(
    fc.property(fields, (body) => {
      const decoders = [decodeWebhook, decodeChange, decodeTest, decodeWebhookPage, decodeDeliveryPage];
      for (const decode of decoders) onlyGatewayErrors(() => decode(body));
      onlyGatewayErrors(() => decodeRotation(body, true));
    }),
  );
});
