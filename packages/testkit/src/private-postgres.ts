import { randomUUID } from 'node:crypto';
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { runCommand, startTethered } from '@sluice/embedded-redis';
import type { PostgresPrograms } from './find-postgres.ts';

export interface PrivatePostgres {
  /** Creates a database. Returns its URL. */
  createDatabase(): Promise<string>;
  /** Ends all connections, and refuses new ones until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends all processes at once, as a crash does. The next `start` replays the log. */
  crash(): Promise<void>;
  /** Stops the server and deletes its files. */
  close(): Promise<void>;
}

/** PostgreSQL refuses to run as root. Every Debian system has this user, `nobody`. */
const UNPRIVILEGED = 65_534;
const START_MS = 30_000;

/** Starts a server that accepts connections only on a socket in its folder. @throws if it does not start */
export async function startPrivatePostgres(programs: PostgresPrograms): Promise<PrivatePostgres> {
  const isRoot = process.getuid?.() === 0;
  const user = isRoot ? ['setpriv', `--reuid=${UNPRIVILEGED}`, `--regid=${UNPRIVILEGED}`, '--clear-groups'] : [];
  const folder = await mkdtemp(join(tmpdir(), 'sluice-postgres-'));
  if (isRoot) await chown(folder, UNPRIVILEGED, UNPRIVILEGED);
  const env: NodeJS.ProcessEnv = { PATH: process.env.PATH, LC_ALL: 'C' };
  if (programs.libraryPath) env.LD_LIBRARY_PATH = programs.libraryPath;
  const run = async (program: string, ...args: string[]): Promise<void> => {
    const [name = '', ...rest] = [...user, join(programs.folder, program), ...args];
    const { code, stderr } = await runCommand(name, rest, { env, cwd: folder, timeoutMs: START_MS });
    if (code !== 0) throw new Error(`${program} failed: ${stderr}`);
  };
  const query = (text: string) => run('psql', '-h', folder, '-U', 'sluice', '-d', 'postgres', '-qc', text);
  const data = join(folder, 'data');
  await run('initdb', '-D', data, '-U', 'sluice', '-A', 'trust', '-E', 'UTF8', '--no-sync');

  const launch = async () => {
    const settings = ['listen_addresses=', `unix_socket_directories=${folder}`, 'fsync=off'];
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const server = startTethered([...user, join(programs.folder, 'postgres'), ...args], env);
    const until = Date.now() + START_MS;
    for (;;) {
      const failure = await query('SELECT 1').then(() => undefined, String);
      if (failure === undefined) return server;
      if (Date.now() > until) throw new Error(`PostgreSQL did not start: ${failure} ${server.tail()}`);
      await sleep(50);
    }
  };
  let server = await launch();
  const end = async (signal: NodeJS.Signals) => {
    const [pid] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(pid), signal);
    await server.exited;
  };
  return {
    async createDatabase() {
      const name = `test_${randomUUID().replaceAll('-', '')}`;
      await query(`CREATE DATABASE ${name}`);
      return `postgres:///${name}?host=${encodeURIComponent(folder)}&user=sluice`;
    },
    // A fast shutdown, which ends the connections.
    stop: () => end('SIGINT'),
    async start() {
      server = await launch();
    },
    crash: () => end('SIGQUIT'),
    async close() {
      // It fails if the server has ended.
      await end('SIGINT').catch(() => server.stop(1_000));
      // The server's other processes can still write until they notice its end.
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}
