import { createTaskEngine } from '@sluice/tasks';
import { createLogger } from '@sluice/telemetry';
import { fastTaskSettings, testRedis } from '@sluice/testkit';
import { expect, it } from 'vitest';
import { startPausableRedis } from '../../test/pausable-redis.ts';
import { scriptedUpstream, textRig } from '../../test/text-rig.ts';
import { respondWith, vendorConfig } from '../../test/vendor.ts';

it('while Redis is unreachable, text is served, health reports it, and stored responses are unavailable', async () => {
  const upstream = await scriptedUpstream(respondWith('you said it'));
  const { redisUrl, prefix } = testRedis();
  const proxy = await startPausableRedis(redisUrl);
  const engine = await createTaskEngine({
    redis: { url: proxy.url },
    prefix,
    accounts: { vendor: { maxSubmitting: 16 } },
    settings: fastTaskSettings(),
    commandTimeoutMs: 300,
    logger: createLogger({ level: 'silent', name: 'test' }),
  });
  const away = await textRig(vendorConfig(upstream.url), { redisUrl: proxy.url, engine });
  try {
    const stored = (await (await away.post('/v1/responses', { model: 'by-chat', input: 'hi' })).json()) as {
      id: string;
    };
    await proxy.cut();
    await expect.poll(() => engine.ready()).toBe(false);
    const messages = [{ role: 'user', content: 'hi' }];
    for (const model of ['by-chat', 'by-messages', 'by-gemini']) {
      for (const stream of [false, true]) {
        for (const [at, body] of [
          ['/v1/chat/completions', { model, stream, messages }],
          ['/v1/messages', { model, stream, messages, max_tokens: 9 }],
          ['/v1/responses', { model, stream, input: 'hi' }],
        ] as const) {
          const response = await away.post(at, body);
          expect(await response.text()).toContain('you said it');
          expect(response.status).toBe(200);
        }
      }
    }
    const next = { model: 'by-chat', input: 'more', previous_response_id: stored.id };
    for (const response of [
      await away.post('/v1/responses', next),
      await away.post('/v1/responses', { model: 'by-chat', input: 'x', background: true }),
      await away.call(`/v1/responses/${stored.id}`),
    ]) {
      expect(response.status).toBe(503);
      expect(await response.json()).toMatchObject({ error: { code: 'store_unavailable', type: 'server_error' } });
      expect(response.headers.get('x-should-retry')).toBe('true');
    }
    const ready = await away.call('/health/ready');
    expect(ready.status).toBe(200);
    expect(await ready.json()).toEqual({ status: 'degraded', degraded: ['redis'] });
  } finally {
    await away.close();
    await engine.close();
    await proxy.cut();
    await upstream.close();
  }
});
