import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** For each agent: the tested version of its package, and the script in the package that starts the native program. */
const AGENTS = {
  'claude-code': { from: '@anthropic-ai/claude-code', version: '2.1.329', entry: 'cli-wrapper.cjs' },
  codex: { from: '@openai/codex', version: '0.169.0', entry: 'bin/codex.js' },
} as const;

export type AgentName = keyof typeof AGENTS;

/** Opt-in, because the agents take several hundred megabytes. */
export const AGENTS_ENABLED: boolean = process.env['SLUICE_TEST_AGENTS'] === '1';

/** Suffix for the titles of tests that are skipped. */
export const WHY_SKIPPED: string = AGENTS_ENABLED ? '' : '[skipped: set SLUICE_TEST_AGENTS=1]';

/** Includes the time for the first run to download the agent. */
export const INSTALL_MS = 300_000;

/**
 * Installs an agent in the user's cache, without running the install scripts of its packages.
 * @returns path of the script that starts the agent
 * @throws if npm fails
 */
export async function installAgent(name: AgentName): Promise<string> {
  const { from, version, entry } = AGENTS[name];
  const cache = path.join(homedir(), '.cache', 'sluice', 'agents');
  const folder = path.join(cache, `${name}-${version}`);
  const script = path.join(folder, 'node_modules', from, entry);
  if (await exists(script)) return script;
  await mkdir(cache, { recursive: true });
  // Installs in a temporary folder and renames it, so that interrupted or concurrent runs do no harm.
  const draft = await mkdtemp(path.join(cache, `${name}-`));
  try {
    await npmInstall(draft, `${from}@${version}`);
    await rename(draft, folder).catch(async (error: unknown) => {
      if (!(await exists(script))) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return script;
}

async function npmInstall(folder: string, packageSpec: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...options, packageSpec], { cwd: folder, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`npm install ${packageSpec} ended with ${code}`);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
