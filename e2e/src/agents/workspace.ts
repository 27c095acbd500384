import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PIXEL } from '../text/pairs.ts';
import { type ProgramResult, runProgram } from './run-program.ts';

/** Name of the image file in every {@link Workspace}. */
export const IMAGE = 'dot.png';

/** An agent's work folder and its home folder. The home folder is empty at first. */
export interface Workspace {
  /** Contains the agent's settings and conversations. */
  home: string;
  read(file: string): Promise<string>;
  write(file: string, text: string): Promise<void>;
  /** Runs a Node script in the work folder. The script inherits only PATH from the developer's environment. */
  run(script: string, args: readonly string[], env: Record<string, string>): Promise<ProgramResult>;
  close(): Promise<void>;
}

/** An unused port. With this proxy, all internet requests of an agent fail immediately. */
const NO_PROXY_LISTENS = 'http://127.0.0.1:9';

export async function createWorkspace(): Promise<Workspace> {
  const dir = await mkdtemp(path.join(tmpdir(), 'sluice-agent-'));
  const [home, work] = [path.join(dir, 'home'), path.join(dir, 'work')];
  await Promise.all([mkdir(home), mkdir(work)]);
  await writeFile(path.join(work, IMAGE), Buffer.from(PIXEL.data, 'base64'));
  const bare = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    HTTP_PROXY: NO_PROXY_LISTENS,
    HTTPS_PROXY: NO_PROXY_LISTENS,
    NO_PROXY: '127.0.0.1',
  };
  return {
    home,
    read: (file) => readFile(path.join(work, file), 'utf8'),
    write: (file, text) => writeFile(path.join(work, file), text),
    run: (script, args, env) =>
      runProgram(process.execPath, [script, ...args], { cwd: work, env: { ...bare, ...env } }),
    close: () => rm(dir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  };
}
