import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ConfigError } from './issues/config-error.ts';
import { loadConfig } from './load/load-config.ts';
import { modelCatalog } from './models/model-catalog.ts';

let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(path.join(tmpdir(), 'sluice-config-'));
});
afterEach(() => rm(cwd, { recursive: true }));

async function messageOf(env: Record<string, string>): Promise<string> {
  const error: unknown = await loadConfig({ env, cwd }).catch((reason: unknown) => reason);
  return error instanceof ConfigError ? error.message : '';
}

describe('the zero configuration', () => {
  it('serves the sandbox to a local key', async () => {
    const config = await loadConfig({ env: {}, cwd });
    expect(config).toMatchObject({
      server: { host: '127.0.0.1', port: 8080 },
      redis: { url: 'embedded' },
      keys: [{ name: 'local', key: 'sk-test-local' }],
      upstreams: { sandbox: { kind: 'videos', base_url: 'http://127.0.0.1:8079/v1', api_key: 'sk-sandbox' } },
      models: [
        { id: 'sandbox-video', routes: [{ upstream: 'sandbox', model: 'sandbox-video' }] },
        { id: 'sandbox-video-a', routes: [{ upstream: 'sandbox-a', model: 'kling-v2-1-master' }] },
        { id: 'sandbox-video-b', routes: [{ upstream: 'sandbox-b', model: 'jimeng_ti2v_v30_pro' }] },
        { id: 'sandbox-chat', routes: [{ upstream: 'sandbox-chat', model: 'sandbox-chat' }], capabilities: ['text'] },
        { id: 'sandbox-responses', routes: [{ upstream: 'sandbox-responses', model: 'sandbox-responses' }] },
        { id: 'sandbox-messages', routes: [{ upstream: 'sandbox-messages', model: 'sandbox-messages' }] },
        { id: 'sandbox-generative', routes: [{ upstream: 'sandbox-generative', model: 'sandbox-generative' }] },
        {
          id: 'sandbox-image',
          routes: [{ upstream: 'sandbox-chat', model: 'sandbox-image' }],
          capabilities: ['image'],
        },
        ...['embedding', 'speech', 'transcription', 'moderation', 'realtime'].map((what) => ({
          id: `sandbox-${what}`,
          routes: [{ upstream: 'sandbox-chat', model: `sandbox-${what}` }],
          capabilities: [what],
        })),
        {
          id: 'sandbox-rerank',
          routes: [{ upstream: 'sandbox-cohere', model: 'sandbox-rerank' }],
          capabilities: ['rerank'],
        },
        { id: 'sandbox-jina', routes: [{ upstream: 'sandbox-jina', model: 'sandbox-jina' }] },
        { id: 'sandbox-tei', routes: [{ upstream: 'sandbox-tei', model: 'sandbox-tei' }] },
      ],
      defaults: {
        video_model: 'sandbox-video',
        image_model: 'sandbox-image',
        moderation_model: 'sandbox-moderation',
        realtime_model: 'sandbox-realtime',
      },
      sandbox: { enabled: true },
      dataDir: path.join(cwd, '.sluice'),
      contentDir: path.join(cwd, '.sluice', 'content'),
      disabledUpstreams: [],
      disabledModels: [],
    });
    expect(config.file).toBeUndefined();
    const pair = { access_key: 'ak-sandbox', secret_key: 'sk-sandbox' };
    expect(config.upstreams).toMatchObject({
      'sandbox-a': { kind: 'provider-a', base_url: 'http://127.0.0.1:8079/kling', ...pair },
      'sandbox-b': { kind: 'provider-b', base_url: 'http://127.0.0.1:8079', ...pair },
      'sandbox-chat': { kind: 'chat-completions', base_url: 'http://127.0.0.1:8079/v1' },
      'sandbox-responses': { kind: 'responses', base_url: 'http://127.0.0.1:8079/v1' },
      'sandbox-messages': { kind: 'messages', base_url: 'http://127.0.0.1:8079' },
      'sandbox-generative': { kind: 'generative-content', base_url: 'http://127.0.0.1:8079' },
      'sandbox-cohere': { kind: 'cohere', base_url: 'http://127.0.0.1:8079/cohere', api_key: 'sk-sandbox' },
      'sandbox-jina': { kind: 'jina', base_url: 'http://127.0.0.1:8079/jina' },
      'sandbox-tei': { kind: 'tei', base_url: 'http://127.0.0.1:8079/tei' },
    });
  });

  it('adds the vendors whose variable is set, and no other', async () => {
    const config = await loadConfig({ env: { OPENAI_API_KEY: 'sk-1', GROQ_API_KEY: 'gsk-1' }, cwd });
    const own = Object.keys(config.upstreams).filter((name) => !name.startsWith('sandbox'));
    expect(own.toSorted()).toEqual(['groq', 'openai', 'openai-r']);
    const catalog = modelCatalog(config);
    expect(catalog.find('gpt-5.1')?.targets).toEqual([
      { upstream: 'openai-r', model: 'gpt-5.1' },
      { upstream: 'openai', model: 'gpt-5.1' },
    ]);
    expect(catalog.find('groq/openai/gpt-oss-120b')?.targets).toEqual([
      { upstream: 'groq', model: 'openai/gpt-oss-120b' },
    ]);
    expect(catalog.find('claude-opus-4-5')).toBeUndefined();
    expect(config.disabledUpstreams).toEqual([]);
  });

  it('reports a vendor with half of its credential', async () => {
    const config = await loadConfig({ env: { KLING_AK: 'a' }, cwd });
    expect(config.upstreams['kling']).toBeUndefined();
    expect(config.disabledUpstreams).toEqual([{ name: 'kling', variable: 'KLING_SK' }]);
    expect(config.disabledModels).toEqual([{ id: 'kling-*', variables: ['KLING_SK'] }]);
  });

  it('applies environment overrides', async () => {
    const env = {
      SLUICE_HOST: '0.0.0.0',
      SLUICE_PORT: '9000',
      SLUICE_KEY: 'sk-mine-mine',
      SLUICE_SECRET: 'at least sixteen',
      SLUICE_ADMIN_KEY: 'sixteen admirals',
      SLUICE_DATA_DIR: 'data',
      SLUICE_LOG_LEVEL: 'debug',
      SLUICE_SANDBOX_URL: 'http://sandbox:1',
      SLUICE_SANDBOX_KEY: 'sk-other',
      SLUICE_SANDBOX_ACCESS_KEY: 'ak-other',
      REDIS_URL: 'redis://r:6379',
    };
    expect(await loadConfig({ env, cwd })).toMatchObject({
      server: { host: '0.0.0.0', port: 9000, secret: 'at least sixteen', admin_key: 'sixteen admirals' },
      redis: { url: 'redis://r:6379' },
      keys: [{ name: 'local', key: 'sk-mine-mine' }],
      upstreams: {
        sandbox: { base_url: 'http://sandbox:1/v1', api_key: 'sk-other' },
        'sandbox-a': { base_url: 'http://sandbox:1/kling', access_key: 'ak-other', secret_key: 'sk-other' },
      },
      log: { level: 'debug' },
      dataDir: path.join(cwd, 'data'),
    });
  });

  it('treats an empty variable as not set', async () => {
    const env = { SLUICE_PORT: '', SLUICE_KEY: '', REDIS_URL: '', SLUICE_CONFIG: '', SLUICE_SANDBOX_URL: '' };
    expect(await loadConfig({ env, cwd })).toEqual(await loadConfig({ env: {}, cwd }));
  });

  it('reports the variable of a wrong value', async () => {
    const env = { SLUICE_PORT: 'http', SLUICE_KEY: 'short', SLUICE_LOG_LEVEL: 'inof' };
    expect(await messageOf(env)).toBe(
      [
        'SLUICE_PORT server.port: must be a number, not text; write a number.',
        'SLUICE_KEY keys[0].key: must be at least 8 characters; change it.',
        'SLUICE_LOG_LEVEL log.level: `inof` is not a known value; did you mean `info`?',
      ].join('\n'),
    );
    expect((await messageOf({ SLUICE_SANDBOX_URL: 'nope' })).split('\n')).toContain(
      'SLUICE_SANDBOX_URL upstreams.sandbox.base_url: must be an http:// or https:// URL; write it as https://host/path.',
    );
  });

  it('uses a real vendor instead of the sandbox for default models', async () => {
    const { defaults } = await loadConfig({ env: { OPENAI_API_KEY: 'sk-real-key' }, cwd });
    expect(defaults).toEqual({
      video_model: 'sandbox-video',
      image_model: 'sandbox-image',
      moderation_model: 'omni-moderation-latest',
      realtime_model: 'gpt-realtime',
    });
  });
});
