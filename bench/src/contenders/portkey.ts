import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

const VERSION = '1.15.2';
const INSTALL_MS = 180_000;

/** The versions of hono that Portkey's own lock file has. With newer ones, its streams fail. */
const MANIFEST = {
  private: true,
  dependencies: { '@portkey-ai/gateway': VERSION },
  overrides: { hono: '4.9.7', '@hono/node-server': '1.13.5' },
};

/**
 * Returns the path of Portkey's gateway, and installs it in the user's cache folder if it is missing.
 * @returns undefined if it cannot be installed
 */
export async function portkeyProgram(): Promise<string | undefined> {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache');
  const dir = path.join(cache, 'sluice-bench', `portkey-${VERSION}`);
  const program = path.join(dir, 'node_modules/@portkey-ai/gateway/build/start-server.js');
  if (existsSync(program)) return program;
  try {
    await mkdir(dir, { recursive: true });
    await writeFile(path.join(dir, 'package.json'), JSON.stringify(MANIFEST));
    const args = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--prefix', dir];
    await promisify(execFile)('npm', args, { cwd: dir, timeout: INSTALL_MS });
  } catch {
    return undefined;
  }
  return existsSync(program) ? program : undefined;
}
