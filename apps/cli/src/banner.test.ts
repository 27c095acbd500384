import { ConfigSchema } from '@sluice/config';
import { describe, expect, it } from 'vitest';
import { banner } from './banner.ts';

const facts = { version: '1.2.3', readyMs: 1_500, apiUrl: 'http://127.0.0.1:8080', redis: 'here', cwd: '/work' };
const vendor = { base_url: 'https://vendor.test/v1', api_key: 'sk-vendor-key' };

function show(upstreams: Record<string, unknown>, models: unknown[], publicKey?: string): string {
  const file = ConfigSchema.parse({ keys: [{ name: 'local', key: 'sk-test-local' }], upstreams, models });
  const folders = { dataDir: '/work/.sluice', contentDir: '/work/.sluice/content' };
  return banner({ ...file, ...folders, disabledUpstreams: [], disabledModels: [] }, { ...facts, publicKey });
}

const chat = { chat: { kind: 'chat-completions', ...vendor } };
const film = { film: { kind: 'videos', ...vendor } };
const route = (upstream: string) => [{ upstream, model: 'm' }];

describe('the banner', () => {
  it('shows how to ask for text and for a video, with models that there are', () => {
    const text = show(
      { ...chat, ...film },
      [
        { id: 'film-1', routes: route('film') },
        { id: 'gpt-*', routes: [{ upstream: 'chat', model: 'gpt-*' }] },
        { id: 'talk-1', routes: route('chat') },
      ],
      'sk-test-local',
    );
    expect(text).toContain('"model":"talk-1"');
    expect(text).toContain('-F model=film-1');
    expect(text).toContain('KEY=sk-test-local');
  });

  it('shows nothing that is not served, and no key that was configured', () => {
    const text = show(chat, [{ id: 'talk-1', routes: route('chat') }]);
    expect(text).toContain('KEY=YOUR_KEY');
    expect(text).not.toContain('/videos');
    expect(text).not.toContain('sk-');
    expect(show({}, [])).not.toContain('Try it');
  });
});
