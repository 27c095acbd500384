import { expect, it } from 'vitest';
import { checkCallback } from './check-callback.ts';

const origins = new Set(['http://hooks.internal:9000']);

it('https may lead anywhere, http where the operator says so alone', () => {
  for (const url of ['https://client.test/done', 'http://hooks.internal:9000/done']) {
    expect(checkCallback(url, origins, 'callback_url')).toBe(url);
  }
  for (const url of ['http://client.test/done', 'http://hooks.internal/', 'http://hooks.internal:9001/']) {
    const refused = expect.objectContaining({ code: 'invalid_request', param: 'callback_url' });
    expect(() => checkCallback(url, origins, 'callback_url')).toThrow(refused);
  }
});
