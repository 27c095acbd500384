import { readFile } from 'node:fs/promises';

/** Resource usage of a process and its descendants, as Linux reports it in /proc. */
export interface TreeUsage {
  /** User and system CPU time of all threads, in microseconds. Linux counts it in ticks of 10 ms. */
  cpuUs: number;
  /** Resident memory, in bytes. */
  rssBytes: number;
  /** Sum of the peaks of resident memory since each process started, in bytes. */
  peakBytes: number;
}

const TICK_US = 10_000;

/** @throws if the process has exited, or if the system has no /proc */
export async function treeUsage(pid: number): Promise<TreeUsage> {
  const all = await Promise.all((await treeOf(pid)).map(usageOf));
  const sum = (field: keyof TreeUsage) => all.reduce((total, usage) => total + usage[field], 0);
  return { cpuUs: sum('cpuUs'), rssBytes: sum('rssBytes'), peakBytes: sum('peakBytes') };
}

async function treeOf(pid: number): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const children = list.split(' ').filter(Boolean).map(Number);
  return [pid, ...(await Promise.all(children.map(treeOf))).flat()];
}

async function usageOf(pid: number): Promise<TreeUsage> {
  const [stat, status] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8'),
    readFile(`/proc/${pid}/status`, 'utf8'),
  ]);
  // Fields 14 to 17 of the manual page proc(5): the process's own times, and those of its children that have exited.
  const times = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15);
  const kibibytes = (field: string) => Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  return {
    cpuUs: times.reduce((sum, ticks) => sum + Number(ticks) * TICK_US, 0),
    rssBytes: kibibytes('VmRSS') * 1_024,
    peakBytes: kibibytes('VmHWM') * 1_024,
  };
}
