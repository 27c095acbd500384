import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const CACHE = path.join(homedir(), '.cache', 'sluice');

/** Python with packages in the cache folder. They need no virtual environment. */
export interface Python {
  command: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Installs packages in the user's cache, unless they are already there.
 * @param requirements with exact versions
 * @returns how to start Python with them, or why they are not available
 */
export async function installPackages(...requirements: string[]): Promise<Python | string> {
  const modules = path.join(CACHE, 'python', requirements.join('-').replaceAll('==', '-'));
  const found = { command: 'python3', env: { PYTHONPATH: modules } };
  try {
    await run('python3', ['-m', 'pip', '--version']);
  } catch {
    return 'python3 with pip is not installed';
  }
  if (await exists(modules)) return found;
  await mkdir(path.dirname(modules), { recursive: true });
  // Installs in a temporary folder and renames it, so that interrupted runs leave no partial installation.
  const draft = await mkdtemp(`${modules}-`);
  try {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', draft, ...requirements]);
    await rename(draft, modules).catch(async (error: unknown) => {
      if (!(await exists(modules))) throw error;
    });
    return found;
  } catch (error) {
    return `pip cannot install ${requirements.join(', ')}: ${String(error).split('\n').at(-2) ?? ''}`.slice(0, 200);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
