import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatBody } from '../load/bodies.ts';
import { pinned } from '../measure/pin.ts';
import { type TreeUsage, treeUsage } from '../measure/process-tree.ts';
import { type ContenderName, LAUNCHES, type Route, type Target } from './launches.ts';

/** A running gateway that the benchmark measures from outside. */
export interface Contender {
  name: ContenderName;
  url: string;
  /** Time from the start of the process to its first response to a chat request, in milliseconds. */
  startMs: number;
  /** Returns undefined if the contender cannot serve this kind of request. */
  targetOf(route: Route): Target | undefined;
  usage(): Promise<TreeUsage>;
  stop(): Promise<void>;
}

export interface ContenderOptions {
  vendorUrl: string;
  env: NodeJS.ProcessEnv;
  dir: string;
  /** The core on which the contender runs. If omitted, it runs on all cores. */
  core?: number;
}

const READY_MS = 60_000;
const STOP_MS = 10_000;
const PROBE_MS = 4;
const FIRST: Route = { client: 'chat', vendor: 'chat', path: 'buffered' };

/**
 * Starts a contender and waits until it serves a chat request.
 * @returns undefined if the program is not installed
 * @throws if it does not serve the request
 */
export async function startContender(
  name: ContenderName,
  { vendorUrl, env, dir, core }: ContenderOptions,
): Promise<Contender | undefined> {
  const port = await freePort();
  const ownDir = await mkdtemp(path.join(dir, `${name}-`));
  const launch = await LAUNCHES[name]({ vendorUrl, env: { ...env, NODE_ENV: 'production' }, dir: ownDir, port });
  if (!launch) return undefined;
  const url = `http://127.0.0.1:${port}`;
  const [command, args] = pinned(core, launch.command, launch.args);
  const startedAt = performance.now();
  // The process formats and writes log lines as in production, but they are discarded.
  const child = spawn(command, args, { cwd: ownDir, env: launch.env, stdio: ['ignore', 'ignore', 'inherit'] });
  const target = launch.targetOf(FIRST);
  if (!target) throw new Error(`${name} serves no chat requests`);
  await firstResponse(child, name, url + target.path, target);
  return {
    name,
    url,
    startMs: performance.now() - startedAt,
    targetOf: launch.targetOf,
    usage: () => treeUsage(child.pid ?? 0),
    stop: () => stop(child),
  };
}

async function firstResponse(child: ChildProcess, name: string, url: string, target: Target): Promise<void> {
  const body = JSON.stringify(chatBody(target.model));
  const headers = { 'content-type': 'application/json', ...target.headers };
  const end = performance.now() + READY_MS;
  let last = 'no connection';
  while (performance.now() < end) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${name} exited during startup`);
    const response = await fetch(url, { method: 'POST', headers, body }).catch(() => undefined);
    if (response) last = `${response.status} ${await response.text()}`;
    if (response?.status === 200) return;
    await sleep(PROBE_MS);
  }
  await stop(child);
  throw new Error(`${name} is not ready: ${last}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS);
  await ended;
  clearTimeout(timer);
}

async function freePort(): Promise<number> {
  const probe = createServer();
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const address = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}
