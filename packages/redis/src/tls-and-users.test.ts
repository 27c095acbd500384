import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createLogger } from '@sluice/telemetry';
import { type RedisProgram, selfSigned, startRedisProgram, taskRig } from '@sluice/testkit';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openRedisConnection, type RedisSettings, waitForRedis } from './index.ts';

const PASSWORD = 'a password with spaces & signs: %/@';
const READY_MS = 10_000;

const logger = createLogger({ level: 'silent', name: 'test' });
const [server, client, stranger] = [selfSigned(), selfSigned(), selfSigned()];
const folder = await mkdtemp(path.join(tmpdir(), 'sluice-tls-'));
const files = {
  cert: path.join(folder, 'cert.pem'),
  key: path.join(folder, 'key.pem'),
  ca: path.join(folder, 'ca.pem'),
};
await Promise.all([
  writeFile(files.cert, server.cert),
  writeFile(files.key, server.key, { mode: 0o600 }),
  writeFile(files.ca, client.cert),
]);

const started = await startRedisProgram({
  portArgument: '--tls-port',
  args: [
    '--port',
    '0',
    '--save',
    '',
    '--tls-auth-clients',
    'yes',
    '--tls-cert-file',
    files.cert,
    '--tls-key-file',
    files.key,
    '--tls-ca-cert-file',
    files.ca,
  ],
  client: { tls: { ca: server.cert, cert: client.cert, key: client.key } },
}).catch((error: unknown) => String(error));
const reason = typeof started === 'string' ? `: the server has no TLS (${started})` : '';

describe.skipIf(typeof started === 'string')(`a server that requires client certificates${reason}`, () => {
  const redis = started as RedisProgram; // The cast is safe because the group is skipped without a server.
  const open: Redis[] = [];
  const connect = (settings: RedisSettings): Redis => {
    const connection = openRedisConnection({ redis: settings, role: 'worker', pipelines: false, logger });
    open.push(connection);
    return connection;
  };
  const url = `rediss://127.0.0.1:${redis.port}`;
  const tls = { ca: server.cert, cert: client.cert, key: client.key };

  beforeAll(async () => {
    const admin = redis.connect();
    await admin.call('ACL', 'SETUSER', 'sluice', 'on', `>${PASSWORD}`, '~*', '&*', '+@all', '-@admin');
    await admin.call('ACL', 'SETUSER', 'default', 'off');
    admin.disconnect();
  });
  afterAll(async () => {
    for (const connection of open) connection.disconnect();
    await redis.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it('accepts the configured certificate and user', async () => {
    const connection = connect({ url, tls, username: 'sluice', password: PASSWORD });
    expect(await waitForRedis(connection, READY_MS)).toBe(true);
    expect(await connection.call('ACL', 'WHOAMI').catch(String)).toContain('sluice');
  });

  it('accepts a user in the URL', async () => {
    const withUser = `rediss://sluice:${encodeURIComponent(PASSWORD)}@127.0.0.1:${redis.port}`;
    expect(await waitForRedis(connect({ url: withUser, tls }), READY_MS)).toBe(true);
  });

  it('serves a task, for which BullMQ opens connections itself', async () => {
    const rig = await taskRig({ redis: { url, tls, username: 'sluice', password: PASSWORD } });
    await rig.startWorker();
    const { task } = await rig.engine.submit(rig.params());
    expect(await rig.end(task)).toMatchObject({ status: 'completed' });
    await rig.close();
  });

  it.each([
    ['no client certificate', { tls: { ca: server.cert } }],
    ['the certificate of a stranger', { tls: { ca: server.cert, cert: stranger.cert, key: stranger.key } }],
    ['another authority', { tls: { ...tls, ca: stranger.cert } }],
    ['another server name', { tls: { ...tls, serverName: 'elsewhere.example' } }],
    ['another password', { password: 'wrong' }],
  ])('is not available with %s', async (_, wrong) => {
    const connection = connect({ url, tls, username: 'sluice', password: PASSWORD, ...wrong });
    const failed = new Promise<Error>((resolve) => connection.once('error', resolve));
    expect(await Promise.race([failed, waitForRedis(connection, READY_MS)])).toBeInstanceOf(Error);
    connection.disconnect();
  });
});
