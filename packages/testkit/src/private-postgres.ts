import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand, startTethered } from '@sluice/embedded-redis';

export interface PrivatePostgres {
  /** Creates a database. Returns its URL. */
  createDatabase(): Promise<string>;
  /** Ends all connections, and refuses new ones until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops the server and deletes its files. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root. Every Debian system has this user, `nobody`. */
const UNPRIVILEGED = 65_534;
const START_MS = 30_000;

/** Returns the folder of PostgreSQL's programs on this machine: the newest of Debian's, or one on the PATH. */
export function findPostgres(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(delimiter).filter(Boolean),
  ];
  return folders.find((folder) => ['initdb', 'postgres', 'psql'].every((name) => existsSync(join(folder, name))));
}

/** Starts a server that accepts connections only on a socket in its folder. @throws if it does not start */
export async function startPrivatePostgres(programs: string): Promise<PrivatePostgres> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? ['setpriv', `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'] : [];
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED);
  const env = { PATH: process.env.PATH, LC_ALL: 'C' };
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const [name = '', ...rest] = [...user, join(programs, program), ...args];
    const { code, stderr } = await runCommand(name, rest, { env, cwd: folder, timeoutMs: START_MS });
    if (code !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  const query = (text: string) => run('psql', '-h', folder, '-U', 'sluice', '-d', 'postgres', '-qc', text);
  const data = join(folder, 'data');
  await run('initdb', '-D', data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--no-sync');

  const launch = async () => {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const server = startTethered([...user, join(programs, 'postgres'), ...args], env);
    const until = Date.now() + START_MS;
    for (;;) {
      const failure = await query('SELECT 1').then(() => undefined, String);
      if (failure === undefined) return server;
      if (Date.now() > until) throw new Error(`PostgreSQL did not start: ${failure} ${server.tail()}`);
      await sleep(50);
    }
  };
  let server = await launch();
  const stop = async () => {
    // Otherwise the server waits until its clients disconnect.
    await query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE backend_type = 'client backend'").catch(
      () => undefined,
    );
    await server.stop(1_000);
  };
  return {
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await query(`CREATE DATABASE ${name}`);
      return `postgres:///${name}?host=${encodeURIComponent(folder)}&user=sluice`;
    },
    stop,
    async start() {
      server = await launch();
    },
    async close() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
