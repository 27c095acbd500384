import { describe, expect, it } from 'vitest';
import { describeConfig } from './describe-config.ts';
import { type Config, ConfigSchema } from '../schema/schema.ts';

const config: Config = {
  ...ConfigSchema.parse({
    server: { public_url: 'https://clips.example/', secret: 'hunter2-hunter2-hunter2' },
    redis: { url: 'rediss://user:hunter2@redis:6380/1?password=hunter2' },
    keys: [
      { name: 'a', key: 'sk-hunter2', models: ['m'] },
      { name: 'b', key: 'sk-hunter2-b', strict: true },
    ],
    upstreams: {
      one: { kind: 'videos', base_url: 'https://u:hunter2@one.example/v1?key=hunter2', api_key: 'hunter2' },
      pair: {
        kind: 'provider-b',
        base_url: 'http://pair',
        access_key: 'hunter2',
        secret_key: 'hunter2',
        region: 'r',
        max_in_flight: 3,
      },
      text: {
        kind: 'chat-completions',
        base_url: 'http://text/v1',
        headers: { 'api-key': 'hunter2' },
        quirks: { top_k: true },
        completions: true,
      },
      responses: { kind: 'responses', base_url: 'http://responses/v1' },
    },
    models: [
      { id: 'm', routes: [{ upstream: 'one', model: 'x' }] },
      { id: 'image', routes: ['text', 'responses'].map((upstream) => ({ upstream, model: 'x' })) },
      { id: 'text-*', routes: ['text', 'responses'].map((upstream) => ({ upstream, model: '*' })) },
    ],
    defaults: { image_model: 'image' },
    ledger: { url: 'postgres://sluice:hunter2@db:5433/usage?password=hunter2' },
  }),
  file: '/etc/sluice.yaml',
  dataDir: '/data',
  contentDir: '/data/content',
  disabledUpstreams: [{ name: 'off', variable: 'OFF_KEY' }],
  disabledModels: [{ id: 'n', variables: ['OFF_KEY'] }],
};

describe('describeConfig', () => {
  it.each([
    [{ bucket: 'clips' }, 's3://clips at us-east-1'],
    [{ bucket: 'clips', prefix: 'a/b', region: 'eu-west-1' }, 's3://clips/a/b at eu-west-1'],
    [{ bucket: 'clips', endpoint: 'https://user:hunter2@store.example/' }, 's3://clips at https://store.example'],
  ])('shows the bucket of the content store: %j', (s3, expected) => {
    const { content } = ConfigSchema.parse({ content: { s3 } });
    expect(describeConfig({ ...config, content }).content).toBe(expected);
  });

  it('contains no secret', () => {
    expect(JSON.stringify(describeConfig(config))).not.toContain('hunter2');
  });

  it('shows the effective configuration', () => {
    expect(describeConfig(config)).toMatchObject({
      file: '/etc/sluice.yaml',
      server: { url: 'http://127.0.0.1:8080', public_url: 'https://clips.example', secret: true },
      redis: { url: 'rediss://redis:6380/1', prefix: 'sluice' },
      content: '/data/content',
      keys: [
        { name: 'a', models: ['m'], strict: false, vendor_references: false },
        { name: 'b', strict: true },
      ],
      upstreams: [
        { name: 'one', kind: 'videos', base_url: 'https://one.example/v1', credentials: ['api_key'] },
        { name: 'pair', credentials: ['access_key', 'secret_key'], region: 'r', max_in_flight: 3 },
        { name: 'text', credentials: [], headers: ['api-key'], quirks: { top_k: true }, completions: true },
        { name: 'responses', kind: 'responses', credentials: [] },
      ],
      models: [
        { id: 'm', routes: ['one/x (video)'], strict: false },
        { id: 'image', routes: ['text/x (image)', 'responses/x (text)'] },
        {
          id: 'text-*',
          routes: [
            'text/* (text, image, embedding, speech, transcription, moderation, or realtime)',
            'responses/* (text)',
          ],
        },
      ],
      disabledUpstreams: [{ name: 'off', variable: 'OFF_KEY' }],
      disabledModels: [{ id: 'n', variables: ['OFF_KEY'] }],
      sandbox: false,
      settings: {
        polling: { min_ms: 3000 },
        routing: { failures: 5 },
        responses: { retention_ms: 2_592_000_000 },
        ledger: { enabled: true, url: 'postgres://db:5433/usage', end_users: 'hash' },
      },
    });
  });

  it('shows only the scheme of an unparsable URL, and IPv6 hosts in brackets', () => {
    const odd = { ...config, redis: { ...config.redis, url: 'unix://u:hunter2@/run/redis.sock' } };
    const shown = describeConfig({ ...odd, server: { host: '::1', port: 1, processes: 1, trusted_proxies: [] } });
    expect(shown.server).toMatchObject({ secret: false, admin_key: false });
    expect(shown.redis.url).not.toContain('hunter2');
    expect(shown.redis.url).toMatch(/^unix:/);
    expect(shown.server.url).toBe('http://[::1]:1');
  });
});
