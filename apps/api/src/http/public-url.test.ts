import { expect, it } from 'vitest';
import { checkCallback } from './public-url.ts';

const origins = new Set(['http://hooks.internal:9000', 'https://10.0.0.7']);
const refused = expect.objectContaining({
  code: 'invalid_request',
  param: 'callback_url',
  message: expect.stringContaining('`webhooks.allow`'),
});

it('accepts any https URL, and http URLs only at allowed origins', () => {
  for (const url of ['https://client.test/done', 'http://hooks.internal:9000/done']) {
    expect(checkCallback(url, origins, 'callback_url')).toBe(url);
  }
  for (const url of ['http://client.test/done', 'http://hooks.internal/', 'http://hooks.internal:9001/']) {
    expect(() => checkCallback(url, origins, 'callback_url')).toThrow(refused);
  }
});

it('rejects private addresses and local names except at allowed origins', () => {
  expect(checkCallback('https://10.0.0.7/done', origins, 'callback_url')).toBe('https://10.0.0.7/done');
  for (const host of ['10.0.0.7:8443', '10.0.0.8', '127.1', '[::1]', '[::ffff:a00:7]', 'localhost', 'app.localhost']) {
    expect(() => checkCallback(`https://${host}/done`, origins, 'callback_url')).toThrow(refused);
  }
});
