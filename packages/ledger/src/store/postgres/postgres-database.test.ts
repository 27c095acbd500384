import { findPostgres, type PrivatePostgres, startPrivatePostgres } from '@sluice/testkit';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SqlDatabase } from '../sql/sql-database.ts';
import { openPostgresDatabase } from './postgres-database.ts';

const found = await findPostgres();
const reason = 'failure' in found ? ` [skipped: ${found.failure}]` : '';

describe.skipIf(reason !== '')(`a connection to PostgreSQL${reason}`, () => {
  let postgres: PrivatePostgres;
  let database: SqlDatabase;
  beforeEach(async () => {
    if ('failure' in found) throw new Error(found.failure);
    postgres = await startPrivatePostgres(found);
    database = openPostgresDatabase(await postgres.createDatabase());
  });
  afterEach(async () => {
    await database.close();
    await postgres.close();
  });

  const answer = () => database.transaction('read', (sql) => sql.all('SELECT 42 AS answer'));
  const serverProcess = async () => {
    const [row] = await database.transaction('read', (sql) => sql.all('SELECT pg_backend_pid() AS pid'));
    return Number(row?.['pid']);
  };

  it.each<[string, () => Promise<void>]>([
    ['the server is killed', () => postgres.crash()],
    ['the server is stopped', () => postgres.stop()],
  ])('fails if %s during a statement, and works again afterwards', async (_when, end) => {
    const { promise: began, resolve: begin } = Promise.withResolvers<void>();
    const failed = database.transaction('write', async (sql) => {
      begin();
      return sql.all('SELECT pg_sleep(60)');
    });
    const rejected = expect(failed).rejects.toThrow(/terminat|closed|ECONN|EPIPE/);
    await began;
    await end();
    await rejected;
    await expect(answer()).rejects.toThrow();
    await postgres.start();
    expect(await answer()).toEqual([{ answer: 42 }]);
  });

  it('fails if its process is killed between two statements, and is replaced', async () => {
    const failed = database.transaction('write', async (sql) => {
      const [row] = await sql.all('SELECT pg_backend_pid() AS pid');
      process.kill(Number(row?.['pid']), 'SIGKILL');
      await expect.poll(() => isRunning(Number(row?.['pid']))).toBe(false);
      return sql.all('SELECT 1');
    });
    await expect(failed).rejects.toThrow();
    // The server restarts its other processes too.
    await expect.poll(() => answer().catch(String)).toEqual([{ answer: 42 }]);
  });

  it('is replaced if it was lost while it was idle', async () => {
    process.kill(await serverProcess(), 'SIGKILL');
    await expect.poll(() => answer().catch(String)).toEqual([{ answer: 42 }]);
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
