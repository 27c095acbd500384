import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { runTethered } from './run-tethered.mjs';

const options = { cwd: '/', env: process.env, output: 'pipe' } as const;

describe('runTethered', () => {
  it("returns a program's output and exit code", async () => {
    expect(await runTethered(['sh', '-c', 'echo out; echo err >&2; exit 3'], options).ended).toEqual({
      code: 3,
      output: expect.stringMatching(/out\n.*err\n|err\n.*out\n/s),
    });
  });

  it('stops the program on request', async () => {
    const running = runTethered(['sleep', '60'], options);
    running.stop();
    expect((await running.ended).code).not.toBe(0);
  });

  it('stops the program when its owner is killed', async () => {
    const source = new URL('./run-tethered.mjs', import.meta.url).href;
    const program = `import { runTethered } from ${JSON.stringify(source)};
      runTethered(['sh', '-c', 'echo $$; exec sleep 60'], { cwd: '/', env: process.env, output: 'inherit' });`;
    const owner = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line]: unknown[] = await once(owner.stdout, 'data');
    const pid = Number(String(line));
    owner.kill('SIGKILL');
    for (let running = true; running;) {
      await sleep(20);
      try {
        process.kill(pid, 0);
      } catch {
        running = false;
      }
    }
  });
});
