import { expect, it } from 'vitest';
import { accountIdOf } from './account-id.ts';

const account = { kind: 'provider-a', base_url: 'https://a.test', access_key: 'ak', secret_key: 'sk-secret' };

it('changes with base URL and credential, and contains neither', () => {
  const others = [{ base_url: 'https://b.test' }, { api_key: 'k' }, { access_key: 'x' }, { secret_key: 'x' }];
  const ids = [account, ...others.map((other) => Object.assign({}, account, other))].map((one) => accountIdOf(one));
  expect(new Set(ids).size).toBe(5);
  expect(accountIdOf({ ...account })).toBe(ids[0]);
  for (const id of ids) expect(id).toMatch(/^[\w-]{12}$/);
});
