import { createHash, createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@sluice/telemetry';
import { type RedisProgram, startRedisProgram, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openRedisConnection, type RedisSettings, signInToRedis, waitForRedis } from '../index.ts';
import { elastiCacheTokens } from './elasticache-token.ts';
import { openTokenSource } from './token-source.ts';

const PATIENT = { timeout: 30_000 };
const logger = createLogger({ level: 'silent', name: 'test' });
let server: RedisProgram;
let admin: Redis;

beforeEach(async () => {
  server = await startRedisProgram({ args: ['--save', ''] });
  admin = server.connect();
});
afterEach(async () => {
  admin.disconnect();
  await server.stop();
  vi.unstubAllEnvs();
});

/** Makes a token the only password of the user `sluice`. Connections that are signed in stay. */
async function accept(token: string): Promise<void> {
  await admin.call('ACL', 'SETUSER', 'sluice', 'on', 'resetpass', `>${token}`, '~*', '&*', '+@all');
}

async function connectionsOfUser(): Promise<string[]> {
  const list = String(await admin.call('CLIENT', 'LIST'));
  return list.split('\n').flatMap((line) => (line.includes('user=sluice') ? [/id=(\d+)/.exec(line)?.[1] ?? ''] : []));
}

async function signIns(): Promise<number> {
  return Number(/cmdstat_auth:calls=(\d+)/.exec(await admin.info('commandstats'))?.[1] ?? 0);
}

/** Issues `token-1`, `token-2`, and so on. Each is valid for `lifetimeMs`, and only the last one is accepted. */
async function signedIn(lifetimeMs: number): Promise<RedisSettings & { issued: () => number }> {
  let issued = 0;
  const tokens = await openTokenSource(async () => {
    issued += 1;
    await accept(`token-${issued}`);
    return { token: `token-${issued}`, expiresAt: Date.now() + lifetimeMs };
  }, logger);
  return { url: `redis://127.0.0.1:${server.port}`, username: 'sluice', tokens, issued: () => issued };
}

describe('a token in place of a password', () => {
  it('is sent again on the same connection before it expires', async () => {
    const { issued, ...settings } = await signedIn(1_500);
    const connection = openRedisConnection({ redis: settings, role: 'api', logger });
    expect(await waitForRedis(connection, PATIENT.timeout)).toBe(true);
    const [id] = await connectionsOfUser();
    const before = await signIns();
    await expect.poll(signIns, PATIENT).toBeGreaterThan(before + 1);
    expect(issued()).toBeGreaterThan(2);
    expect(await connectionsOfUser()).toEqual([id]);
    connection.disconnect();
  });

  it('is the newest one for lost connections, also for those that BullMQ opens', async () => {
    const { issued, ...settings } = await signedIn(2_000);
    const rig = await taskRig({ redis: settings });
    await rig.startWorker();
    for (let round = 0; round < 3; round += 1) {
      const current = issued();
      await expect.poll(issued, PATIENT).toBeGreaterThan(current);
      await admin.call('CLIENT', 'KILL', 'USER', 'sluice');
      const task = await vi.waitUntil(() => rig.engine.submit(rig.params()).catch(() => undefined), PATIENT);
      expect(await rig.end(task.task)).toMatchObject({ status: 'completed' });
    }
    await rig.close();
  }, 90_000);

  it('is used until it expires if the cloud fails', async () => {
    await accept('only');
    let calls = 0;
    const tokens = await openTokenSource(async () => {
      calls += 1;
      if (calls > 1) throw new Error('the cloud is down');
      return { token: 'only', expiresAt: Date.now() + 1_000 };
    }, logger);
    await expect.poll(() => calls, PATIENT).toBeGreaterThan(2);
    expect(tokens.current()).toBe('only');
  });

  it('is required before the first connection', async () => {
    const settings: RedisSettings = { url: 'redis://127.0.0.1:1', identity: { type: 'google-memorystore' } };
    expect(() => openRedisConnection({ redis: settings, role: 'api', logger })).toThrow('signInToRedis');
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '/nowhere.json');
    await expect(signInToRedis(settings, logger)).rejects.toThrow(/no token for Redis.*`redis.identity`/s);
  });
});

describe('ElastiCache', () => {
  const KEYS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', sessionToken: 'a session' };
  const identity = { cache: 'My-Cache', region: 'eu-central-1', serverless: true, user: 'sluice' };

  /** Computes the signature by the documentation of Signature Version 4. */
  function signatureOf(url: URL): string {
    const query = [...url.searchParams]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
      .toSorted()
      .join('&');
    const emptyHash = createHash('sha256').update('').digest('hex');
    const canonical = ['GET', '/', query, `host:${url.host}\n`, 'host', emptyHash].join('\n');
    const time = url.searchParams.get('X-Amz-Date') ?? '';
    const parts = [time.slice(0, 8), identity.region, 'elasticache', 'aws4_request'];
    const text = ['AWS4-HMAC-SHA256', time, parts.join('/'), createHash('sha256').update(canonical).digest('hex')];
    const key = parts.reduce<Buffer | string>(
      (secret, part) => createHmac('sha256', secret).update(part).digest(),
      `AWS4${KEYS.secretAccessKey}`,
    );
    return createHmac('sha256', key).update(text.join('\n')).digest('hex');
  }

  it('receives a presigned URL as the password', async () => {
    const expiration = new Date(Date.now() + 60_000);
    const issue = await elastiCacheTokens(identity, () => Promise.resolve({ ...KEYS, expiration }));
    const { token, expiresAt } = await issue();
    expect(token).toMatch(/^my-cache\/\?/);
    const url = new URL(`http://${token}`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      Action: 'connect',
      User: 'sluice',
      ResourceType: 'ServerlessCache',
      'X-Amz-Expires': '900',
      'X-Amz-Security-Token': 'a session',
    });
    expect(url.searchParams.get('X-Amz-Signature')).toBe(signatureOf(url));
    // Temporary keys end the token earlier.
    expect(expiresAt).toBe(expiration.getTime());
  });

  it('accepts the credentials of the environment', async () => {
    vi.stubEnv('AWS_ACCESS_KEY_ID', KEYS.accessKeyId);
    vi.stubEnv('AWS_SECRET_ACCESS_KEY', KEYS.secretAccessKey);
    const settings = await signInToRedis(
      {
        url: `redis://127.0.0.1:${server.port}`,
        username: 'sluice',
        identity: { type: 'aws-elasticache', cache: 'c', region: 'us-east-1', serverless: false },
      },
      logger,
    );
    await accept(settings.tokens?.current() ?? '');
    const connection = openRedisConnection({ redis: settings, role: 'api', logger });
    expect(await waitForRedis(connection, PATIENT.timeout)).toBe(true);
    expect(await connection.call('ACL', 'WHOAMI')).toBe('sluice');
    connection.disconnect();
  });
});

describe('Memorystore', () => {
  let cloud: Server;
  let folder: string;
  afterEach(async () => {
    cloud.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('receives the access token of the application default credentials', async () => {
    await admin.call('ACL', 'SETUSER', 'default', 'resetpass', '>google-token-1');
    const requests: string[] = [];
    cloud = createServer((request, response) => {
      request.on('data', (chunk: Buffer) => requests.push(chunk.toString()));
      request.on('end', () => {
        const token = { access_token: `google-token-${requests.length}`, token_type: 'Bearer', expires_in: 3_600 };
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify({ ...token, issued_token_type: 'urn:ietf:params:oauth:token-type:access_token' }));
      });
    });
    await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve));
    const { port } = cloud.address() as AddressInfo; // The cast is safe because the server listens on TCP.
    folder = await mkdtemp(path.join(tmpdir(), 'sluice-google-'));
    const [file, subject] = [path.join(folder, 'credentials.json'), path.join(folder, 'subject')];
    await writeFile(subject, 'the token of the platform');
    await writeFile(
      file,
      JSON.stringify({
        type: 'external_account',
        audience: '//iam.googleapis.com/projects/1/locations/global/workloadIdentityPools/p/providers/q',
        subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
        token_url: `http://127.0.0.1:${port}/v1/token`,
        credential_source: { file: subject },
      }),
    );
    vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', file);
    const settings = await signInToRedis(
      { url: `redis://127.0.0.1:${server.port}`, identity: { type: 'google-memorystore' } },
      logger,
    );
    expect(requests).toHaveLength(1);
    expect(requests[0]).toContain('the+token+of+the+platform');
    const connection = openRedisConnection({ redis: settings, role: 'api', logger });
    expect(await waitForRedis(connection, PATIENT.timeout)).toBe(true);
    connection.disconnect();
  });
});
