import { describe, expect, it } from 'vitest';
import { checkPools } from './check-pools.ts';
import { formatPath } from '../issues/config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';

function check(upstream: object, models: object[] = []): string[] {
  const config = ConfigSchema.parse({
    upstreams: { acme: { kind: 'chat-completions', base_url: 'http://a', ...upstream } },
    models,
  });
  return checkPools(config).map(({ path, wrong, remedy }) => `${formatPath(path)} ${wrong}; ${remedy}`);
}

const one = { name: 'one', api_key: 'k1' };
const two = { name: 'two', api_key: 'k2' };

describe('checkPools', () => {
  it('accepts pools with limits, and upstreams without a pool', () => {
    expect(check({ credentials: [{ ...one, rpm: 5, tpm: 9, max_in_flight: 2, budget: { usd: 1 } }, two] })).toEqual([]);
    expect(check({ api_key: 'k' })).toEqual([]);
  });

  it('reports duplicate names and secrets, without the secret', () => {
    expect(check({ credentials: [one, { ...two, name: 'one' }, { name: 'three', api_key: 'k2' }] })).toEqual([
      'upstreams.acme.credentials[1].name the same name is in credentials[0]; change or remove one',
      'upstreams.acme.credentials[2].api_key the same credential is in credentials[1]; change or remove one',
    ]);
  });

  it('reports a pool that gets no requests', () => {
    expect(check({ credentials: [{ ...one, weight: 0 }] })).toEqual([
      'upstreams.acme.credentials every credential has `weight: 0`, so none gets new requests; raise the weight of one',
    ]);
  });

  it('reports limits of calls for a kind that serves only tasks', () => {
    expect(check({ kind: 'veo', credentials: [{ ...one, rpm: 5, max_in_flight: 1 }] })).toEqual([
      'upstreams.acme.credentials[0].rpm kind `veo` serves only tasks, which have no such limit; remove it, or limit tasks with `max_in_flight`',
    ]);
  });

  it('reports weights of routes that the policy ignores', () => {
    const model = { id: 'm', routes: [{ upstream: 'acme', model: 'm', weight: 2 }] };
    expect(check({}, [model, { ...model, id: 'n', policy: 'weighted' }])).toEqual([
      'models[0].routes[0].weight has no effect with `policy: priority`; remove it, or set `policy: weighted`',
    ]);
  });
});
