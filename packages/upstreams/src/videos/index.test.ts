import { createLogger } from '@sluice/telemetry';
import { expect, it } from 'vitest';
import { createUpstreamHttp } from '../http/fetch-upstream.ts';
import { videos } from './index.ts';

it('sends no credential for an account without a key', async () => {
  const http = createUpstreamHttp();
  const { video } = videos.build(
    { kind: 'videos', base_url: 'http://127.0.0.1:1/v1/' },
    {
      name: 'vendor',
      fetchUpstream: http.fetchUpstream,
      openUpstream: http.openUpstream,
      openSocket: () => Promise.reject(new Error('not used here')),
      download: () => Promise.reject(new Error('not used here')),
      timeouts: { submitMs: 1000, pollMs: 1000, downloadIdleMs: 1000 },
      logger: createLogger({ level: 'silent', name: 'test' }),
      now: Date.now,
    },
  );
  expect(video?.baseUrl).toBe('http://127.0.0.1:1/v1');
  await http.close();
});
