import { expect, it } from 'vitest';
import { createOriginCheck } from './check-origin.ts';

const keys = [
  { name: 'local', key: 'sk-test-local', strict: false, vendor_references: false },
  { name: 'own', key: 'sk-of-my-own', strict: false, vendor_references: false },
];
const server = { host: '127.0.0.1', port: 8080, processes: 1, trusted_proxies: [] };

function passes(origin: string | undefined, name: string, origins?: string[]): boolean {
  const check = createOriginCheck({ server: { ...server, ...(origins && { origins }) }, keys });
  try {
    check({ origin }, { name });
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'invalid_request' });
    return false;
  }
}

it.each([
  'https://evil.test',
  'null',
  'http://127.0.0.1.evil.test',
  'http://localhost.evil.test',
  'file://',
  '',
  'x:127.0.0.1',
])('rejects the default key from a page of %j, and accepts any other key', (origin) => {
  expect(passes(origin, 'local')).toBe(false);
  expect(passes(origin, 'own')).toBe(true);
});

it.each([
  undefined,
  'http://localhost:3000',
  'http://127.0.0.1:8080',
  'https://127.9.9.9',
  'http://[::1]:1',
  'http://app.localhost',
])('accepts the default key from a client at %j', (origin) => {
  expect(passes(origin, 'local')).toBe(true);
});

it('rejects every key from other pages if the configuration lists origins', () => {
  const origins = ['https://App.example'];
  for (const name of ['local', 'own']) {
    expect(passes('https://app.example', name, origins)).toBe(true);
    expect(passes(undefined, name, origins)).toBe(true);
    expect(passes('https://app.example:444', name, origins)).toBe(false);
    expect(passes('http://localhost', name, origins)).toBe(false);
  }
});
