import { execFile } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const VERSION = '4.32.5';
const CACHE = path.join(homedir(), '.cache', 'sluice', 'schemathesis');
const MODULES = path.join(CACHE, VERSION);

/** Runs schemathesis from the cache folder. Its packages need no virtual environment. */
export interface Schemathesis {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
}

/**
 * Installs schemathesis in the user's cache, unless it is already there.
 * @returns how to start it, or why it is not available
 */
export async function installSchemathesis(): Promise<Schemathesis | string> {
  const found = { command: 'python3', args: ['-m', 'schemathesis.cli'], env: { PYTHONPATH: MODULES } };
  try {
    await run('python3', ['-m', 'pip', '--version']);
  } catch {
    return 'python3 with pip is not installed';
  }
  if (await exists(MODULES)) return found;
  await mkdir(CACHE, { recursive: true });
  // Installs in a temporary folder and renames it, so that interrupted runs leave no partial installation.
  const draft = await mkdtemp(path.join(CACHE, 'install-'));
  try {
    await run('python3', ['-m', 'pip', 'install', '--quiet', '--target', draft, `schemathesis==${VERSION}`]);
    await rename(draft, MODULES).catch(async (error: unknown) => {
      if (!(await exists(MODULES))) throw error;
    });
    return found;
  } catch (error) {
    return `pip cannot install schemathesis ${VERSION}: ${String(error).split('\n').at(-2) ?? ''}`.slice(0, 200);
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
