import { spawn } from 'node:child_process';
import { access, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';

/** The versions that the tests run, and where each keeps the script that finds its native program. */
const AGENTS = {
  'claude-code': { from: '@anthropic-ai/claude-code', version: '2.1.329', entry: 'cli-wrapper.cjs' },
  codex: { from: '@openai/codex', version: '0.169.0', entry: 'bin/codex.js' },
} as const;

/** A coding agent as its vendor publishes it. */
export type AgentName = keyof typeof AGENTS;

/** Opt-in, because the agents are several hundred megabytes. */
export const AGENTS_ENABLED: boolean = process.env['SLUICE_TEST_AGENTS'] === '1';

/** Suffix of a group's name if its tests are skipped. */
export const WHY_SKIPPED: string = AGENTS_ENABLED ? '' : '[skipped: set SLUICE_TEST_AGENTS=1]';

/** How long the first run may take to fetch an agent. */
export const INSTALL_MS = 300_000;

/**
 * Installs an agent into the user's cache unless it is there, without running any script of its packages.
 * @returns the script that starts it
 * @throws when npm fails
 */
export async function installAgent(name: AgentName): Promise<string> {
  const { from, version, entry } = AGENTS[name];
  const cache = path.join(homedir(), '.cache', 'sluice', 'agents');
  const folder = path.join(cache, `${name}-${version}`);
  const script = path.join(folder, 'node_modules', from, entry);
  if (await exists(script)) return script;
  await mkdir(cache, { recursive: true });
  // Moved in place as a whole: a run that was interrupted leaves no half of an agent, and two may install at once.
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

async function npmInstall(folder: string, wanted: string): Promise<void> {
  const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error'];
  const npm = spawn('npm', ['install', '--prefix', folder, ...options, wanted], { cwd: folder, stdio: 'inherit' });
  const code = await new Promise<number | null>((resolve, reject) => {
    npm.once('error', reject);
    npm.once('exit', resolve);
  });
  if (code !== 0) throw new Error(`npm install ${wanted} ended with ${code}`);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
