import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireInstallLock } from './install-lock.mjs';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-install-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** Starts another process that acquires the lock and does not release it. */
async function startOwner() {
  const source = new URL('./install-lock.mjs', import.meta.url).href;
  const program = `import { acquireInstallLock } from ${JSON.stringify(source)};
    await acquireInstallLock(${JSON.stringify(root)}, () => {}); console.log('held'); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

describe('acquireInstallLock', () => {
  it('blocks a second install until the first ends, and reports its process', async () => {
    const child = await startOwner();
    const waitedFor = Promise.withResolvers<number>();
    const taken = acquireInstallLock(root, waitedFor.resolve);
    expect(await waitedFor.promise).toBe(child.pid);
    child.kill('SIGKILL');
    // The killed process's lock is taken over.
    (await taken)();
  });

  it('names the checkout if it cannot be written', async () => {
    const file = join(root, 'file');
    await writeFile(file, '');
    await expect(acquireInstallLock(file, () => undefined)).rejects.toThrow(
      `Cannot write to ${file} (ENOTDIR), where the dependencies must be installed.`,
    );
  });

  it('can be acquired again after its release', async () => {
    (await acquireInstallLock(root, () => undefined))();
    (await acquireInstallLock(root, () => expect.unreachable()))();
  });
});
