import { spawn } from 'node:child_process';

/**
 * Runs a program in a separate session under a small shell. The shell stops the program when its pipe from this process
 * closes. Ctrl-C in a terminal does not reach the program, and the program cannot outlive this process, even after
 * SIGKILL.
 */
const TETHER = `
exec 3<&0
"$@" 3<&- </dev/null &
program=$!
( read -r _ <&3; kill -TERM $program 2>/dev/null ) >/dev/null 2>&1 &
watcher=$!
{ wait $program; } 2>/dev/null
code=$?
kill $watcher 2>/dev/null
exit $code
`;

/**
 * @param {string[]} argv the program and its arguments
 * @param {{ cwd: string, env: NodeJS.ProcessEnv, output: 'inherit' | 'pipe' }} options with `output: 'pipe'`, the
 * program's output is collected
 * @returns {{ pid: number | undefined, ended: Promise<{ code: number, output: string }>, stop: () => void }}
 */
export function runTethered(argv, { cwd, env, output }) {
  const isWindows = process.platform === 'win32';
  const [program, ...args] = isWindows ? argv : ['/bin/sh', '-c', TETHER, 'sluice', ...argv];
  const child = spawn(program, args, { cwd, env, detached: !isWindows, stdio: ['pipe', output, output] });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    if (stream) stream.setEncoding('utf8').on('data', (part) => (text += part));
  }
  child.stdin.on('error', () => {});
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: 127, output: error.message }));
    child.once('close', (code) => {
      child.stdin.destroy();
      resolve({ code: code === null ? 1 : code, output: text });
    });
  });
  const stop = () => (isWindows ? child.kill() : child.stdin.destroy());
  return { pid: child.pid, ended, stop };
}
