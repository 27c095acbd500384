import { readFile } from 'node:fs/promises';
import { launchBrowser } from './browser.ts';
import { ADMIN_KEY } from './console-stack.ts';
import { startLargeStack } from './large-stack.ts';
import { measurePageHeap } from './page-heap.ts';
import { KEY } from '../stack.ts';

const [ENTRIES, TASKS] = [1_000_000, 100_000];
const RUNS = 5;
const [MAX_MS, MAX_HEAP_MB] = [300, 150];

const MONTH = 'start_time=30d_ago';

/** The lists that the console reads, for the admin key and for the holder of a key. */
const LISTS = [
  'v1/requests?limit=50',
  `v1/requests?limit=50&${MONTH}`,
  `v1/requests?limit=50&${MONTH}&status=error`,
  `v1/requests?limit=50&${MONTH}&model=model-7`,
  `v1/requests?limit=50&${MONTH}&model=unknown`,
  `v1/requests?limit=50&${MONTH}&user=unknown`,
  `v1/requests?limit=50&${MONTH}&label=team%3Dunknown`,
  `v1/requests?limit=50&${MONTH}&type=task`,
  `v1/requests?limit=50&${MONTH}&min_cost_usd=5`,
  `v1/requests?limit=50&${MONTH}&min_duration_ms=90000`,
  `v1/requests/histogram?${MONTH}`,
  `v1/requests/histogram?${MONTH}&status=error`,
  `v1/requests/histogram?${MONTH}&min_duration_ms=900`,
  `v1/usage?${MONTH}&group_by=day`,
  `v1/usage?${MONTH}&group_by=model,upstream,day`,
  `v1/usage/latency?${MONTH}`,
  'v1/tasks?limit=50',
  'v1/tasks?limit=100&status=open',
  'v1/tasks?limit=50&model=unknown',
  'v1/tasks?limit=24&status=completed&prompt=true',
];
const ADMIN_LISTS = ['overview', 'upstreams', 'models', 'keys', 'webhooks', 'audit', 'tasks?limit=100'];

/** Measures the response time and CPU time of each list, and the heap of each page. Exits with code 1 if one is above its limit. */
async function main(): Promise<void> {
  const [stack, browser] = await Promise.all([startLargeStack({ entries: ENTRIES, tasks: TASKS }), launchBrowser()]);
  try {
    const pid = stack.api.process.pid ?? 0;
    for (const [role, key, lists] of [
      ['admin', ADMIN_KEY, [...LISTS, ...ADMIN_LISTS.map((list) => `admin/v1/${list}`)]],
      ['holder', KEY, LISTS],
    ] as const)
      for (const list of lists) {
        const { ms, cpuMs } = await measure(`${stack.origin}/${list}`, key, pid);
        report(`${role}: ${list}`, `${ms.toFixed(0)} ms, ${cpuMs.toFixed(0)} ms CPU`, ms < MAX_MS);
      }
    for (const [screen, bytes] of Object.entries(await measurePageHeap(browser, stack.origin)))
      report(`heap of ${screen}`, `${(bytes / 1e6).toFixed(1)} MB`, bytes < MAX_HEAP_MB * 1e6);
  } finally {
    await browser.close();
    await stack.close();
  }
}

function report(name: string, value: string, isGood: boolean): void {
  process.stdout.write(`${value.padStart(22)}  ${name}\n`);
  if (!isGood) process.exitCode = 1;
}

/** @returns the median response time, and the mean CPU time of the API, in milliseconds */
async function measure(url: string, key: string, pid: number): Promise<{ ms: number; cpuMs: number }> {
  const monthAgo = Math.floor(Date.now() / 1_000) - 30 * 86_400;
  const headers = { authorization: `Bearer ${key}` };
  const times: number[] = [];
  const cpuBefore = await cpuMsOf(pid);
  for (let run = 0; run < RUNS; run += 1) {
    const startedAt = performance.now();
    const response = await fetch(url.replace('30d_ago', String(monthAgo)), { headers });
    const text = await response.text();
    if (!response.ok) throw new Error(`${url} responds with ${response.status}: ${text}`);
    times.push(performance.now() - startedAt);
  }
  const cpuMs = ((await cpuMsOf(pid)) - cpuBefore) / RUNS;
  return { ms: times.toSorted((a, b) => a - b)[Math.floor(RUNS / 2)] ?? 0, cpuMs };
}

/** Linux counts the CPU time of a process in hundredths of a second. */
async function cpuMsOf(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

await main();
