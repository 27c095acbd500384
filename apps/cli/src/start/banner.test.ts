import { execFileSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { ConfigSchema } from '@sluice/config';
import { describe, expect, it } from 'vitest';
import { banner } from './banner.ts';

const facts = {
  version: '1.2.3',
  readyMs: 1_500,
  apiUrl: 'http://127.0.0.1:8080',
  redis: 'here',
  cwd: '/work',
  columns: 80,
};
const vendor = { base_url: 'https://vendor.test/v1', api_key: 'sk-vendor-key' };

function show(
  upstreams: Record<string, unknown>,
  models: unknown[],
  { publicKey, defaults = {}, path }: { publicKey?: string; defaults?: object; path?: string } = {},
): string {
  const file = ConfigSchema.parse({ keys: [{ name: 'local', key: 'sk-test-local' }], upstreams, models, defaults });
  const folders = { dataDir: '/work/.sluice', contentDir: '/work/.sluice/content' };
  const config = { ...file, ...folders, ...(path && { file: path }), disabledUpstreams: [], disabledModels: [] };
  return stripVTControlCharacters(banner(config, { ...facts, publicKey }));
}

const chat = { chat: { kind: 'chat-completions', ...vendor } };
const both = { both: { kind: 'dashscope', ...vendor } };
const video = { video: { kind: 'videos', ...vendor } };
const route = (upstream: string) => [{ upstream, model: 'm' }];

describe('banner', () => {
  it('shows requests for text and a video, with configured models', () => {
    const text = show(
      { ...chat, ...video },
      [
        { id: 'video-1', routes: route('video') },
        { id: 'gpt-*', routes: [{ upstream: 'chat', model: 'gpt-*' }] },
        { id: 'chat-1', routes: route('chat') },
      ],
      { publicKey: 'sk-test-local' },
    );
    expect(text).toContain('"model": "chat-1"');
    expect(text).toContain('-F model=video-1');
    expect(text).toContain('export SLUICE=http://127.0.0.1:8080 KEY=sk-test-local');
    expect(text.match(/curl .*\$SLUICE\/v1\//g)).toHaveLength(3);
  });

  it('omits capabilities that are not served, and configured keys', () => {
    const text = show(chat, [{ id: 'chat-1', routes: route('chat') }]);
    expect(text).toContain('KEY=YOUR_KEY');
    expect(text).not.toContain('/videos');
    expect(text).not.toContain('sk-');
    expect(show({}, [])).not.toContain('Try it');
  });

  it('says how to change a public key', () => {
    const publicKey = 'sk-test-local';
    expect(show({}, [], { publicKey })).toContain('sk-test-local (for this machine only; set SLUICE_KEY to');
    const configured = show({}, [], { publicKey, path: '/work/sluice.yaml' });
    expect(configured).toContain('change it in the');
    expect(configured).not.toContain('SLUICE_KEY');
  });

  it('uses only text models for text, and prefers a video-only model for a video', () => {
    const models = [
      { id: 'any-1', routes: route('both') },
      { id: 'video-1', routes: route('video') },
    ];
    const text = show({ ...both, ...video }, models);
    expect(text).toContain('-F model=video-1');
    expect(text).not.toContain('/chat/completions');
    expect(show(both, models.slice(0, 1))).toContain('-F model=any-1');
  });

  it('uses the default video model unless it is disabled', () => {
    const models = [
      { id: 'video-1', routes: route('video') },
      { id: 'video-2', routes: route('video') },
    ];
    expect(show(video, models, { defaults: { video_model: 'video-2' } })).toContain('-F model=video-2');
    expect(show(video, models, { defaults: { video_model: 'video-3' } })).toContain('-F model=video-1');
  });

  it('uses the default image model if there is no video model, and shows at most three commands', () => {
    const models = ['image-1', 'chat-1'].map((id) => ({ id, routes: route('chat') }));
    const defaults = { image_model: 'image-1' };
    const drawn = show(chat, models, { defaults });
    expect(drawn).toMatch(/curl \$SLUICE\/v1\/images\/generations [^']*'\{"model": "image-1"/);
    expect(drawn).toMatch(/chat\/completions [^']*'\{"model": "chat-1"/);
    expect(show(chat, models)).not.toContain('/images/');
    const all = show({ ...chat, ...video }, [...models, { id: 'video-1', routes: route('video') }], { defaults });
    expect(all.match(/curl /g)).toHaveLength(3);
  });

  it('lists models by capability and shortens a long list', () => {
    const ids = ['chat-1', 'chat-2', 'image-1'];
    const videos = Array.from({ length: 8 }, (_, index) => ({ id: `video-${index}`, routes: route('video') }));
    const models = [
      ...ids.map((id) => ({ id, routes: route('chat') })),
      { id: 'wan*', routes: route('both') },
      ...videos,
    ];
    const text = show({ ...chat, ...both, ...video }, models, { defaults: { image_model: 'image-1' } });
    expect(text).toContain(
      `  Models      text and more: chat-1, chat-2 · image: image-1 · video or image:
              wan* · video: video-0, video-1, video-2, video-3, video-4, video-5
              and 2 more\n`,
    );
    expect(show({}, [])).toContain('  Models      none\n');
  });

  it('fits the terminal, and its commands are valid shell', () => {
    const models = [
      { id: 'video-1', routes: route('video') },
      { id: 'chat-1', routes: route('chat') },
    ];
    const text = show({ ...chat, ...video }, models, { publicKey: 'sk-test-local' });
    expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
    const commands = text.slice(text.indexOf('    export'), text.indexOf('  Ctrl-C'));
    const stub = 'curl() { for word in "$@"; do printf "%s|" "$word"; done; echo; }\n';
    const output = execFileSync('/bin/sh', ['-c', `${stub}${commands}`], { encoding: 'utf8' });
    expect(output).toContain('-N|http://127.0.0.1:8080/v1/chat/completions|-H|Authorization: Bearer sk-test-local|');
    const body = /-d\|(?<json>[^|]*)\|/.exec(output)?.groups?.['json'] ?? '';
    expect(JSON.parse(body)).toEqual({
      model: 'chat-1',
      stream: true,
      messages: [{ role: 'user', content: 'Hello!' }],
    });
  });
});
