import { describe, expect, it } from 'vitest';
import { redactConfig } from '../settings/redact-config.ts';
import { secretsOf } from '../settings/secrets-of.ts';
import { messageOf, useConfigFolder } from '../../test/config-folder.ts';

const { load } = useConfigFolder();

function acme(fields: string): string {
  return `upstreams:
  acme:
    kind: chat-completions
    base_url: http://acme.example/v1
    credentials:
      - ${fields}
`;
}

describe('pools of credentials', () => {
  const models = (fields: string) => `${acme('{ name: one, api_key: k1 }')}models:
  - id: m
    ${fields}
`;
  const route = (fields: string) => models(`routes: [{ upstream: acme, model: m, ${fields} }]`);

  it.each([
    [acme('{ api_key: k }'), '6:9 upstreams.acme.credentials[0].name: is required; add `name` here.'],
    [
      acme('{ name: a.b, api_key: k }'),
      '6:17 upstreams.acme.credentials[0].name: must be up to 64 letters, digits, `_`, and `-`; change it.',
    ],
    [acme('{ name: a }'), '6:9 upstreams.acme.credentials[0].api_key: is required; add it, or remove the entry.'],
    [
      acme('{ name: a, api_key: k, weight: -1 }'),
      '6:40 upstreams.acme.credentials[0].weight: must be at least 0; change it.',
    ],
    [acme('{ name: a, api_key: k, rpm: 0 }'), '6:37 upstreams.acme.credentials[0].rpm: must be at least 1; change it.'],
    [
      acme('{ name: a, api_key: k, tpm: many }'),
      '6:37 upstreams.acme.credentials[0].tpm: must be a number, not text; write a number.',
    ],
    [
      acme('{ name: a, api_key: k, max_in_flight: 1.5 }'),
      '6:47 upstreams.acme.credentials[0].max_in_flight: must be an integer, not a fraction; write an integer.',
    ],
    [
      acme('{ name: a, api_key: k, budget: { usd: 1, period: week } }'),
      '6:58 upstreams.acme.credentials[0].budget.period: `week` is not a known value; write one of: day, month, total.',
    ],
    [
      acme('{ name: a, api_key: k, max_inflight: 1 }'),
      '6:32 upstreams.acme.credentials[0].max_inflight: is not a known field; did you mean `max_in_flight`?',
    ],
    [
      `${acme('{ name: a, api_key: k }')}    api_key: k2`,
      '7:14 upstreams.acme.api_key: cannot be set beside `credentials`; move it into an entry of the list.',
    ],
    [
      acme('{ name: a, api_key: k1 }\n      - { name: a, api_key: k2 }'),
      '7:17 upstreams.acme.credentials[1].name: the same name is in credentials[0]; change or remove one.',
    ],
    [
      models('policy: wieghted\n    routes: [{ upstream: acme, model: m }]'),
      '9:13 models[0].policy: `wieghted` is not a known value; did you mean `weighted`?',
    ],
    [route('weight: 0'), '9:50 models[0].routes[0].weight: must be at least 1; change it.'],
    [route('priority: high'), '9:52 models[0].routes[0].priority: must be a number, not text; write a number.'],
    [
      route('weight: 2'),
      '9:50 models[0].routes[0].weight: has no effect with `policy: priority`; remove it, or set `policy: weighted`.',
    ],
    [
      models('hedge_ms: soon\n    routes: [{ upstream: acme, model: m }]'),
      '9:15 models[0].hedge_ms: must be a number, not text; write a number.',
    ],
    [
      models('hedge_ms: 0\n    routes: [{ upstream: acme, model: m }]'),
      '9:15 models[0].hedge_ms: must be at least 1; change it.',
    ],
    [
      models('hedge_ms: 500\n    routes: [{ upstream: acme, model: m }]'),
      '9:15 models[0].hedge_ms: has no effect, because the model has only one route with one credential; remove it, or add a route.',
    ],
    [
      `${acme('{ name: one, api_key: k1 }')}routing:\n  retry_percent: 1001`,
      '8:18 routing.retry_percent: must be at most 1000; change it.',
    ],
    [
      `${acme('{ name: one, api_key: k1 }')}routing:\n  retry_percent: half`,
      '8:18 routing.retry_percent: must be a number, not text; write a number.',
    ],
    [
      `${acme('{ name: one, api_key: k1 }')}responses:\n  store: gatway`,
      '8:10 responses.store: `gatway` is not a known value; did you mean `gateway`?',
    ],
  ])('reports file, line, column, and remedy of %j', async (text, expected) => {
    expect(await messageOf(load(text))).toBe(`sluice.yaml:${expected}`);
  });

  it('leaves out credentials whose variable is not set, and the upstream without any other', async () => {
    const text = acme('{ name: one, api_key: "${KEY_1}" }\n      - { name: two, api_key: "${KEY_2}" }');
    const some = await load(text, { KEY_2: 'k2' });
    expect(some.upstreams['acme']?.credentials?.map(({ name }) => name)).toEqual(['two']);
    expect(some.disabledUpstreams).toEqual([{ name: 'acme.one', variable: 'KEY_1' }]);
    const none = await load(text);
    expect(none.upstreams).toEqual({});
    expect(none.disabledUpstreams).toEqual([{ name: 'acme', variable: 'KEY_2' }]);
  });

  it('masks the secrets of pools', async () => {
    const config = await load(acme('{ name: one, api_key: a-secret-of-the-pool }'));
    expect(secretsOf(config)).toContain('a-secret-of-the-pool');
    expect(JSON.stringify(redactConfig(config))).not.toContain('a-secret-of-the-pool');
  });
});

describe('unset credentials', () => {
  const file = `
upstreams:
  off: { kind: videos, base_url: "https://off.example", api_key: "\${OFF_KEY}" }
  pair: { kind: provider-b, base_url: "https://pair.example", access_key: "\${PAIR_AK}", secret_key: "\${PAIR_SK}" }
  on: { kind: videos, base_url: "https://on.example", api_key: "\${ON_KEY}" }
models:
  - { id: only-off, routes: [{ upstream: off, model: m }, { upstream: pair, model: m }] }
  - { id: both, routes: [{ upstream: off, model: m }, { upstream: on, model: m }] }
`;

  it('disable the upstream, its routes, and models without another route', async () => {
    const config = await load(file, { ON_KEY: 'k', PAIR_AK: 'k' });
    expect(Object.keys(config.upstreams)).toEqual(['on']);
    expect(config.models).toMatchObject([{ id: 'both', routes: [{ upstream: 'on', model: 'm' }] }]);
    expect(config.disabledUpstreams).toEqual([
      { name: 'off', variable: 'OFF_KEY' },
      { name: 'pair', variable: 'PAIR_SK' },
    ]);
    expect(config.disabledModels).toEqual([{ id: 'only-off', variables: ['OFF_KEY', 'PAIR_SK'] }]);
  });

  it('differ from credentials that are not written', async () => {
    const message = await messageOf(
      load(`
upstreams:
  a: { kind: provider-a, base_url: "https://a.example", access_key: "\${OFF}" }
  b:
    kind: provider-b
    base_url: https://b.example
    api_key: k
`),
    );
    expect(message.split('\n')).toEqual([
      'sluice.yaml:3:6 upstreams.a.secret_key: is required; kind `provider-a` takes `api_key`, or `access_key` and `secret_key`.',
      'sluice.yaml:5:5 upstreams.b.access_key: is required; kind `provider-b` takes `access_key` and `secret_key`.',
      'sluice.yaml:5:5 upstreams.b.secret_key: is required; kind `provider-b` takes `access_key` and `secret_key`.',
      'sluice.yaml:7:14 upstreams.b.api_key: is for other kinds; kind `provider-b` takes `access_key` and `secret_key`.',
    ]);
  });

  it('in a header also disable the upstream', async () => {
    const azure = 'azure: { kind: chat-completions, base_url: "http://a", headers: { api-key: "${AZURE_KEY}" } }';
    const routes = 'models: [{ id: m, routes: [{ upstream: azure, model: m }] }]';
    const off = await load(`upstreams: { ${azure} }\n${routes}\n`);
    expect([off.upstreams, off.disabledUpstreams]).toEqual([{}, [{ name: 'azure', variable: 'AZURE_KEY' }]]);
    const on = await load(`upstreams: { ${azure} }\n${routes}\n`, { AZURE_KEY: 'k' });
    expect(on.upstreams['azure']?.headers).toEqual({ 'api-key': 'k' });
  });

  it('do not hide other problems of the upstream', async () => {
    expect(await messageOf(load(file.replace('videos', 'vidoes')))).toContain(
      'sluice.yaml:3:16 upstreams.off.kind: `vidoes` is not a known value; did you mean `videos`?',
    );
  });
});
