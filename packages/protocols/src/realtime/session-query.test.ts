import { describe, expect, it } from 'vitest';
import { readSessionQuery } from './session-query.ts';

describe('readSessionQuery', () => {
  it('passes on what is neither the model nor a credential', () => {
    const query = {
      model: 'm',
      key: 'sk-1',
      API_KEY: 'sk-2',
      access_token: 'sk-3',
      intent: 'conversation',
      x: ['1', '2'],
    };
    expect(readSessionQuery(query)).toEqual({
      passed: [
        ['intent', 'conversation'],
        ['x', '1'],
        ['x', '2'],
      ],
      namesModel: true,
      refersToVendor: false,
    });
  });

  it.each([
    [{ intent: 'transcription' }, false],
    [{ call_id: 'rtc_1' }, true],
  ])('names no model to an upstream that takes none: %j', (query, refersToVendor) => {
    expect(readSessionQuery({ model: 'm', ...query })).toMatchObject({ namesModel: false, refersToVendor });
  });
});
