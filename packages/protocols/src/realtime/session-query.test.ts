import { describe, expect, it } from 'vitest';
import { readSessionQuery } from './session-query.ts';

describe('readSessionQuery', () => {
  it('forwards only known parameters', () => {
    const query = { model: 'm', intent: 'conversation', 'api-version': '2026-01-01', x: ['1', '2'] };
    expect(readSessionQuery(query)).toEqual({
      passed: [
        ['intent', 'conversation'],
        ['api-version', '2026-01-01'],
      ],
      namesModel: true,
      refersToVendor: false,
    });
  });

  it.each([
    'Model',
    'deployment',
    'Deployment',
    'session_id',
    'engine',
    'key',
    'API_KEY',
    'access_token',
    'x-api-key',
    'x-goog-api-key',
    'client_secret',
  ])('never forwards %s', (name) => {
    expect(readSessionQuery({ model: 'm', [name]: 'dear' }).passed).toEqual([]);
  });

  it('forwards the first value of each parameter, ignoring case', () => {
    const query = { intent: ['transcription', 'conversation'], Call_ID: 'rtc_1', CALL_ID: 'rtc_2' };
    expect(readSessionQuery(query)).toEqual({
      passed: [
        ['intent', 'transcription'],
        ['call_id', 'rtc_1'],
      ],
      namesModel: false,
      refersToVendor: true,
    });
  });

  it.each([
    [{ intent: 'transcription' }, false],
    [{ call_id: 'rtc_1' }, true],
  ])('omits the model for an upstream that accepts none: %j', (query, refersToVendor) => {
    expect(readSessionQuery({ model: 'm', ...query })).toMatchObject({ namesModel: false, refersToVendor });
  });
});
