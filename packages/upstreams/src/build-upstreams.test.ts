import { createLogger } from '@sluice/telemetry';
import { describe, expect, it } from 'vitest';
import { startServer } from '../test/local-server.ts';
import { buildUpstreams, type UpstreamsSettings } from './build-upstreams.ts';

const PNG = Buffer.from('\x89PNG\r\n\x1a\nrest of it', 'latin1');
const NEVER = new AbortController().signal;

function settings(more: Partial<UpstreamsSettings> = {}): UpstreamsSettings {
  return {
    upstreams: {},
    timeouts: { submitMs: 5000, pollMs: 5000, downloadIdleMs: 5000 },
    limits: { downloadBytes: 1000, inputBytes: 1000 },
    allow: [],
    logger: createLogger({ level: 'silent', name: 'test' }),
    ...more,
  };
}

describe('accounts', () => {
  it('are listed by name', async () => {
    const upstreams = buildUpstreams(
      settings({ upstreams: { a: { kind: 'videos', base_url: 'https://v.example/v1' } } }),
    );
    expect([...upstreams.accounts.keys()]).toEqual(['a']);
    expect(upstreams.accounts.get('a')?.video?.baseUrl).toBe('https://v.example/v1');
    await upstreams.close();
  });

  it('refuse an unknown kind at startup', () => {
    const upstreams = { a: { kind: 'nonsense', base_url: 'https://v.example' } };
    expect(() => buildUpstreams(settings({ upstreams }))).toThrow('upstream a: unknown kind nonsense');
  });
});

describe('a client’s URL', () => {
  it('cannot reach a configured upstream', async () => {
    await using server = await startServer((_request, response) => response.end(PNG));
    const account = { kind: 'videos', base_url: `${server.origin}/v1` };
    const upstreams = buildUpstreams(settings({ upstreams: { a: account } }));
    await expect(upstreams.fetchInput(`${server.origin}/x.png`, NEVER)).rejects.toMatchObject({
      code: 'invalid_request',
    });
    expect(server.connections()).toBe(0);
    await upstreams.close();
  });

  it('can reach origins that the operator allows', async () => {
    await using server = await startServer((_request, response) => response.end(PNG));
    const upstreams = buildUpstreams(settings({ allow: [server.origin] }));
    const { fetchInput } = upstreams;
    const { body, mediaType } = await fetchInput(`${server.origin}/x.png`, NEVER);
    expect([mediaType, Buffer.concat(await body.toArray())]).toEqual(['image/png', PNG]);
    await upstreams.close();
  });
});

it('fails calls in flight when closed', async () => {
  await using server = await startServer(() => undefined);
  const upstreams = buildUpstreams(settings({ upstreams: { a: { kind: 'videos', base_url: server.origin } } }));
  const job = { taskId: 't', model: 'm', baseUrl: server.origin, upstreamId: 'u', acceptedAt: 0 };
  const polling = upstreams.accounts.get('a')?.video?.poll(job, NEVER);
  await new Promise((wake) => setTimeout(wake, 50));
  await upstreams.close();
  expect(await polling).toMatchObject({ kind: 'unclear' });
});
