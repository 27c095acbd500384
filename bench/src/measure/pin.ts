import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';

/** The core of the measured process. */
export const CONTENDER_CORE = 0;
/** The core of everything else: the vendor, the load generator, Redis, and the benchmark. */
export const SUPPORT_CORE = 1;

const CORES = cpus().length;
/** Whether processes can be pinned to cores. */
export const canPin = CORES > 1 && spawnSync('taskset', ['--version']).status === 0;

/** Returns the command that runs `command` on one core. Without `taskset`, returns the command itself. */
export function pinned(core: number | undefined, command: string, args: string[]): [string, string[]] {
  return core === undefined || !canPin ? [command, args] : ['taskset', ['-c', String(core), command, ...args]];
}

/** Moves a running process and its later children to one core, or back to all cores. */
export function pinProcess(pid: number, core: number | undefined): void {
  if (canPin)
    spawnSync('taskset', ['-a', '-c', '-p', core === undefined ? `0-${CORES - 1}` : String(core), String(pid)]);
}
