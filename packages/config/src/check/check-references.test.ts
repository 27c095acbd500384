import { describe, expect, it } from 'vitest';
import { checkReferences } from './check-references.ts';
import { formatPath } from '../issues/config-error.ts';
import { ConfigSchema } from '../schema/schema.ts';

const upstreams = { acme: { kind: 'videos', base_url: 'http://a' } };
const capped = (max: number) => ({ acme: { ...upstreams.acme, max_submitting: max } });
const accounts = (kinds: Record<string, string>) =>
  Object.fromEntries(Object.entries(kinds).map(([name, kind]) => [name, { kind, base_url: 'http://a' }]));
const at = (...names: string[]) => names.map((upstream) => ({ upstream, model: 'x' }));
const model = (id: string, name = 'x') => ({ id, routes: [{ upstream: 'acme', model: name }] });

function check(value: Record<string, unknown>): string[] {
  const config = ConfigSchema.parse({ upstreams, models: [model('video'), model('gpt-*', 'v/*')], ...value });
  return checkReferences(config).map(({ path, wrong }) => `${formatPath(path)}: ${wrong}`);
}

describe('checkReferences', () => {
  it('accepts names that exist', () => {
    const keys = [{ name: 'a', key: 'aaaaaaaa', models: ['video', 'gpt-4', 'later-*'] }];
    expect(check({ keys, defaults: { video_model: 'gpt-video' } })).toEqual([]);
  });

  it('reports names that do not exist', () => {
    const keys = [{ name: 'a', key: 'aaaaaaaa', models: ['flim'] }];
    expect(check({ keys, defaults: { video_model: 'none' }, upstreams: {} })).toEqual([
      'models[0].routes[0].upstream: no upstream is named `acme`',
      'models[1].routes[0].upstream: no upstream is named `acme`',
      'keys[0].models[0]: no model has the id `flim`',
      'defaults.video_model: no model has the id `none`',
    ]);
  });

  it('reports single sign-on without a public URL', () => {
    const oidc = { issuer: 'https://id.example', client_id: 'c', client_secret: 's', roles: { viewer: ['all'] } };
    expect(check({ console: { oidc } })).toEqual(['console.oidc: needs `server.public_url`']);
    expect(check({ console: { oidc }, server: { public_url: 'https://sluice.example/ai' } })).toEqual([]);
  });

  it('reports an admin key that is also an API key, without showing it', () => {
    const keys = [
      { name: 'a', key: 'aaaaaaaa' },
      { name: 'b', key: 'sixteen-letters-' },
    ];
    expect(check({ keys, server: { admin_key: 'sixteen-letters-' } })).toEqual([
      'server.admin_key: is also the key of keys[1]',
    ]);
    expect(check({ keys, server: { admin_key: 'sixteen-letters+' } })).toEqual([]);
    expect(check({ keys })).toEqual([]);
  });

  it('reports duplicates, without showing a key', () => {
    const keys = [
      { name: 'a', key: 'aaaaaaaa' },
      { name: 'b', key: 'aaaaaaaa' },
    ];
    expect(check({ keys, models: [model('m'), model('m')] })).toEqual([
      'models[1].id: the same model id is in models[0]',
      'keys[1].key: the same key is in keys[0]',
    ]);
  });

  it('reports more stars in a route than in its id', () => {
    expect(check({ models: [model('gpt-*', '*-*')] })).toEqual([
      "models[0].routes[0].model: has more `*` than the model's id `gpt-*`",
    ]);
  });

  it('reports a model that serves text on one route and video on another, or that cannot serve its default', () => {
    const text = { kind: 'messages', base_url: 'http://b' };
    const routes = [
      { upstream: 'text', model: 'x' },
      { upstream: 'acme', model: 'x' },
    ];
    const config = {
      upstreams: { ...upstreams, text },
      models: [
        { id: 'mixed', routes },
        { id: 'chat', routes: routes.slice(0, 1) },
      ],
    };
    expect(check({ ...config, defaults: { video_model: 'chat' } })).toEqual([
      "models[0].routes[1].upstream: serves video, while the model's first route serves text",
      'defaults.video_model: the model `chat` does not serve video',
    ]);
  });

  it('requires every route of a model to share a capability with its first', () => {
    const kinds = { chat: 'chat-completions', fal: 'fal', video: 'vidu', text: 'responses', run: 'runway' };
    const models = [
      { id: 'image', routes: at('chat', 'fal', 'run') },
      { id: 'video', routes: at('gone', 'video', 'fal', 'text') },
      { id: 'image-2', routes: at('text', 'run') },
    ];
    expect(check({ upstreams: accounts(kinds), models })).toEqual([
      'models[1].routes[0].upstream: no upstream is named `gone`',
      "models[1].routes[3].upstream: serves text, while the model's first route serves video",
      "models[2].routes[1].upstream: serves video and image, while the model's first route serves text",
    ]);
  });

  it('requires a route for every capability that a model declares', () => {
    const kinds = { chat: 'chat-completions', video: 'vidu' };
    const models = [
      { id: 'judge', routes: at('chat'), capabilities: ['moderation', 'video'] },
      { id: 'lost', routes: at('gone'), capabilities: ['video'] },
    ];
    expect(check({ upstreams: accounts(kinds), models })).toEqual([
      'models[1].routes[0].upstream: no upstream is named `gone`',
      'models[0].capabilities[1]: no upstream of its routes serves it',
    ]);
  });

  it('requires a default model to declare the capability that it is the default for', () => {
    const models = [{ id: 'chat', routes: at('chat'), capabilities: ['text'] }];
    const chat = accounts({ chat: 'chat-completions' });
    expect(check({ upstreams: chat, models, defaults: { moderation_model: 'chat', image_model: 'chat' } })).toEqual([
      'defaults.image_model: the model `chat` does not serve image',
      'defaults.moderation_model: the model `chat` does not serve moderation',
    ]);
  });

  it('requires a default model to have the capability on one of its routes', () => {
    const kinds = { chat: 'chat-completions', text: 'messages', video: 'ark' };
    const config = {
      upstreams: accounts(kinds),
      models: [
        { id: 'image-*', routes: at('text', 'chat') },
        { id: 'video', routes: at('video') },
        { id: 'lost', routes: at('gone') },
      ],
    };
    expect(check({ ...config, defaults: { video_model: 'video', image_model: 'image-1' } })).toHaveLength(1);
    expect(check({ ...config, defaults: { video_model: 'image-1', image_model: 'video' } }).slice(1)).toEqual([
      'defaults.video_model: the model `image-1` does not serve video',
      'defaults.image_model: the model `video` does not serve image',
    ]);
    expect(check({ ...config, defaults: { video_model: 'lost', image_model: 'flim' } }).slice(1)).toEqual([
      'defaults.image_model: no model has the id `flim`',
    ]);
  });

  it('lets text kinds share a model', () => {
    const both = {
      text: { kind: 'messages', base_url: 'http://b' },
      chat: { kind: 'chat-completions', base_url: 'http://c' },
    };
    const routes = Object.keys(both).map((upstream) => ({ upstream, model: 'x', quirks: { sampling: false } }));
    expect(check({ upstreams: both, models: [{ id: 'm', routes }] })).toEqual([]);
  });

  it('reports fields of another kind', () => {
    const odd = {
      acme: { ...upstreams.acme, quirks: { top_k: true } },
      text: { kind: 'messages', base_url: 'http://b', completions: true },
      signed: { kind: 'provider-a', base_url: 'http://c', region: 'cn-north-1' },
      there: { kind: 'provider-b', base_url: 'http://d', region: 'cn-north-1' },
      stored: { kind: 'videos', base_url: 'http://e', output_uri: 'gs://a/b' },
    };
    const routes = [{ upstream: 'acme', model: 'x', quirks: {} }];
    expect(check({ upstreams: odd, models: [{ id: 'm', routes }] })).toEqual([
      'models[0].routes[0].quirks: is for routes that serve text',
      'upstreams.acme.quirks: is for upstreams that serve text',
      'upstreams.text.completions: is for kind `chat-completions`',
      'upstreams.signed.region: is for kind `provider-b`',
      'upstreams.stored.output_uri: is for the kinds `bedrock` and `veo`',
    ]);
  });

  it('reports inverted bounds', () => {
    const routing = { open_ms: 7, max_open_ms: 6 };
    expect(check({ polling: { min_ms: 2, max_ms: 1 }, tasks: { retry_min_ms: 5, retry_max_ms: 4 }, routing })).toEqual([
      'polling.min_ms: is more than polling.max_ms (1)',
      'tasks.retry_min_ms: is more than tasks.retry_max_ms (4)',
      'routing.open_ms: is more than routing.max_open_ms (6)',
    ]);
  });

  it('reports submissions that could occupy every slot of a worker, at the configured field', () => {
    expect(check({ tasks: { concurrency: 17 } })).toEqual([]);
    expect(check({ upstreams: capped(49) })).toEqual([]);
    expect(check({ upstreams: capped(50) })).toEqual([
      'upstreams.acme.max_submitting: is not less than tasks.concurrency (50), which leaves no slot for polls',
    ]);
    const text = { acme: { ...upstreams.acme, kind: 'messages' } };
    expect(check({ upstreams: text, tasks: { concurrency: 1 } })).toEqual([]);
    const chat = { acme: { ...upstreams.acme, kind: 'chat-completions' } };
    expect(check({ upstreams: chat, tasks: { concurrency: 1 } })).toHaveLength(1);
    const bedrock = { acme: { ...upstreams.acme, kind: 'bedrock' } };
    const served = (one: object, more: object = {}) =>
      check({ upstreams: { acme: { ...bedrock.acme, ...more } }, models: [one], tasks: { concurrency: 16 } }).length;
    expect(served(model('claude', 'anthropic.claude'))).toBe(0);
    expect(served(model('*', '*'))).toBe(0);
    expect(served(model('canvas', 'us.amazon.nova-canvas-v1:0'))).toBe(1);
    expect(served({ ...model('arn', 'arn:a'), capabilities: ['image'] })).toBe(1);
    expect(served(model('claude', 'anthropic.claude'), { output_uri: 's3://bucket' })).toBe(1);
    expect(check({ tasks: { concurrency: 16 } })).toEqual([
      'tasks.concurrency: is not more than upstreams.acme.max_submitting (16), which leaves no slot for polls',
    ]);
  });
});
