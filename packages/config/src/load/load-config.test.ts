import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadConfig } from './load-config.ts';
import { messageOf, useConfigFolder } from '../../test/config-folder.ts';

const { cwd, load } = useConfigFolder();

describe('the file', () => {
  it('is ./sluice.yaml if it exists', async () => {
    const config = await load('server: { port: 1234 }');
    expect(config).toMatchObject({ file: path.join(cwd(), 'sluice.yaml'), server: { port: 1234 } });
  });

  it('is the file in SLUICE_CONFIG, relative to the working folder', async () => {
    await mkdir(path.join(cwd(), 'etc'));
    await writeFile(path.join(cwd(), 'etc', 'mine.yaml'), 'server: { prot: 1 }');
    const message = await messageOf(load('server: { port: 1234 }', { SLUICE_CONFIG: 'etc/mine.yaml' }));
    expect(message).toBe('etc/mine.yaml:1:11 server.prot: is not a known field; did you mean `port`?');
  });

  it('must exist and be a file if SLUICE_CONFIG names it', async () => {
    const missing = await messageOf(loadConfig({ env: { SLUICE_CONFIG: 'no.yaml' }, cwd: cwd() }));
    expect(missing).toBe(
      `SLUICE_CONFIG: ${path.join(cwd(), 'no.yaml')} does not exist; name a file that can be read, or unset SLUICE_CONFIG.`,
    );
    expect(await messageOf(loadConfig({ env: { SLUICE_CONFIG: '.' }, cwd: cwd() }))).toContain(
      'cannot be read (EISDIR)',
    );
  });
});

describe('loadConfig', () => {
  it.each([
    ['4', 4],
    ['auto', 'auto'],
  ])('accepts a number of processes or `auto`: %s', async (text, processes) => {
    expect((await load(`server: { processes: ${text} }`)).server.processes).toBe(processes);
    expect((await load('', { SLUICE_PROCESSES: text })).server.processes).toBe(processes);
  });

  it.each(['many', '1.5'])('refuses other numbers of processes: %s', async (text) => {
    expect(await messageOf(load(`server: { processes: ${text} }`))).toBe(
      'sluice.yaml:1:22 server.processes: must be a number from 1 to 256, or `auto`; change it.',
    );
  });

  it('fills absent and empty sections with defaults', async () => {
    const zero = await loadConfig({ env: {}, cwd: cwd() });
    const config = await load('server:\npolling: {}\nmodels:\n');
    for (const section of ['server', 'redis', 'timeouts', 'polling', 'tasks', 'limits', 'download', 'log'] as const)
      expect(config[section]).toEqual(zero[section]);
    expect(config).toMatchObject({ upstreams: {}, models: [], defaults: {}, sandbox: { enabled: false } });
  });

  it('reports the line of submissions that would leave no slot for polls', async () => {
    const videos = 'acme: { kind: videos, base_url: "http://a"';
    expect(await messageOf(load(`upstreams:\n  ${videos}, max_submitting: 50 }\n`))).toMatch(
      /^sluice\.yaml:2:\d+ upstreams\.acme\.max_submitting: is not less than tasks\.concurrency \(50\)/,
    );
    expect(await messageOf(load(`upstreams: { ${videos} } }\ntasks:\n  concurrency: 16\n`))).toMatch(
      /^sluice\.yaml:3:16 tasks\.concurrency: is not more than upstreams\.acme\.max_submitting \(16\)/,
    );
  });

  it('accepts an http or https URL as public address', async () => {
    const { server } = await load('server: { public_url: "https://clips.example" }');
    expect(server.public_url).toBe('https://clips.example');
    expect(await messageOf(load('server: { public_url: clips.example }'))).toContain('server.public_url');
  });

  it('names the position of a trusted proxy that is no address', async () => {
    expect(await messageOf(load('server:\n  trusted_proxies:\n    - 10.0.0.1\n    - proxy.example\n'))).toMatch(
      /^sluice\.yaml:4:7 server\.trusted_proxies\[1\]: must be an IP address, or a range such as 10\.0\.0\.0\/8/,
    );
  });

  it('adds the sandbox on demand and keeps names that are taken', async () => {
    const file = 'sandbox: { enabled: true }\n';
    const added = await load(file);
    expect(added.upstreams).toMatchObject({ sandbox: {}, 'sandbox-chat': {} });
    expect(added.models.map(({ id }) => id)).toContain('sandbox-video');
    const own = `${file}upstreams: { sandbox: { kind: videos, base_url: "http://own" } }\n`;
    const models = 'models: [{ id: sandbox-video, routes: [{ upstream: sandbox, model: own }] }]\n';
    const config = await load(own + models);
    expect(config.upstreams['sandbox']?.base_url).toBe('http://own');
    expect(config.models.filter(({ id }) => id === 'sandbox-video')).toMatchObject([{ routes: [{ model: 'own' }] }]);
  });

  it('routes a model to the added sandbox', async () => {
    const models = 'models: [{ id: clip, routes: [{ upstream: sandbox, model: sandbox-video }] }]\n';
    const config = await load(`sandbox: { enabled: "\${SANDBOX:-true}" }\n${models}`);
    expect(config.models.slice(0, 2).map((model) => model.id)).toEqual(['clip', 'sandbox-video']);
  });

  it('reads SLUICE_KEY only if the file has no keys', async () => {
    expect((await load('')).keys).toMatchObject([{ name: 'local', key: 'sk-some-key' }]);
    expect((await load('keys: []')).keys).toMatchObject([{ name: 'local', key: 'sk-some-key' }]);
    expect((await load('keys: [{ name: a, key: aaaaaaaa }]')).keys).toMatchObject([{ name: 'a', key: 'aaaaaaaa' }]);
  });

  it('rejects a configuration without keys', async () => {
    const message = await messageOf(load('server:\n  port: 1\n', { SLUICE_KEY: '' }));
    expect(message).toBe('sluice.yaml:1:1 keys: at least one API key is required; add one, or set SLUICE_KEY.');
  });

  it('reads REDIS_URL only if the file names no Redis', async () => {
    const env = { REDIS_URL: 'redis://r' };
    expect((await load('redis: { prefix: p }', env)).redis).toMatchObject({ url: 'redis://r', prefix: 'p' });
    expect((await load('redis: { url: embedded }', env)).redis.url).toBe('embedded');
  });

  it('lets SLUICE_HOST and SLUICE_PORT override the file, even an unset variable', async () => {
    const env = { SLUICE_HOST: '::1', SLUICE_PORT: '0' };
    expect((await load('server: { host: h, port: "${NOPE}" }', env)).server).toMatchObject({ host: '::1', port: 0 });
  });

  it('resolves relative folders from the working folder', async () => {
    expect(await load('content: { dir: clips }')).toMatchObject({ contentDir: path.join(cwd(), 'clips') });
  });
});

describe('environment references', () => {
  it('become numbers and booleans where those are expected, quoted or not', async () => {
    const file = 'server:\n  port: ${PORT}\ntasks: { lock_ms: "${LOCK}" }\nsandbox:\n  enabled: ${ON:-false}\n';
    expect(await load(file, { PORT: '99', LOCK: '15000' })).toMatchObject({
      server: { port: 99 },
      tasks: { lock_ms: 15_000 },
      sandbox: { enabled: false },
    });
  });

  it('stay text where text is expected', async () => {
    const config = await load('keys:\n  - name: a\n    key: ${KEY}\n', { KEY: '12345678' });
    expect(config.keys[0]?.key).toBe('12345678');
  });

  it('do not relax the types of values in the file', async () => {
    expect(await messageOf(load('server: { port: "99" }'))).toContain('server.port: must be a number, not text');
  });

  it('must be set or have a default', async () => {
    expect(await messageOf(load('keys:\n  - { name: a, key: "${NOPE}" }\n'))).toBe(
      'sluice.yaml:2:21 keys[0].key: NOPE is not set; set it, or add a default with ${NOPE:-default}.',
    );
  });

  it('are reported by variable, never by value', async () => {
    const message = await messageOf(load('server:\n  port: ${PORT}\n', { PORT: 'sk-secret' }));
    expect(message).toBe(
      'sluice.yaml:2:9 server.port: must be a number, not text (it comes from PORT); write a number.',
    );
  });
});

describe('problems', () => {
  it('are reported all at once, each with line and column', async () => {
    const message = await messageOf(
      load(`
upstreams:
  acme: { kind: videos, base_url: "http://a", api_key: k }
keys:
  - { name: a, key: aaaaaaaa }
  - { name: a, key: aaaaaaaa }
models:
  - { id: m, routes: [{ upstream: acem, model: "x-*" }] }
  - { id: m, routes: [{ upstream: acme, model: x }] }
defaults: { video_model: n }
polling: { min_ms: 40000 }
`),
    );
    expect(message.split('\n')).toEqual([
      'sluice.yaml:9:11 models[1].id: the same model id is in models[0]; change or remove one.',
      'sluice.yaml:6:13 keys[1].name: the same key name is in keys[0]; change or remove one.',
      'sluice.yaml:6:21 keys[1].key: the same key is in keys[0]; change or remove one.',
      'sluice.yaml:8:35 models[0].routes[0].upstream: no upstream is named `acem`; did you mean `acme`?',
      "sluice.yaml:8:48 models[0].routes[0].model: has more `*` than the model's id `m`; write the name at the upstream.",
      'sluice.yaml:10:26 defaults.video_model: no model has the id `n`; did you mean `m`?',
      'sluice.yaml:11:20 polling.min_ms: is more than polling.max_ms (30000); lower it or raise the other.',
    ]);
  });

  it('are reported for a file that is not a mapping', async () => {
    expect(await messageOf(load('- 1'))).toBe(
      'sluice.yaml:1:1: must be a section of fields, not a list; write a section of fields.',
    );
    expect(await messageOf(load('a: &a [*a]'))).toContain('nested deeper than 64 levels');
  });
});
