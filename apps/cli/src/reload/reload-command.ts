import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig } from '@sluice/config';
import { ConfigStore, type ProcessState } from '@sluice/reload';
import { findRedis, UnreachableError } from '../redis/find-redis.ts';
import { createRedisClient, unreachableMessage } from '../redis/redis-client.ts';
import { alignTable } from '../terminal/align-columns.ts';
import { paintError } from '../terminal/paint.ts';
import { parseOptions } from '../terminal/parse-options.ts';
import { printText } from '../terminal/print-text.ts';
import { UsageError } from '../terminal/usage-error.ts';

const USAGE = `Usage: sluice reload [--wait] [--timeout SECONDS] [--json]

Makes all API and worker processes of the gateway read their configuration again. An invalid one changes nothing.

  --wait              wait until every process has handled the request, and all run the same version
  --timeout SECONDS   stop waiting after this time; 30 by default
  --json              print the processes as JSON
`;

const OPTIONS = {
  wait: { type: 'boolean' },
  timeout: { type: 'string', default: '30' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

export const RELOAD_OPTIONS: readonly string[] = Object.keys(OPTIONS);

const MAX_TIMEOUT_S = 3_600;
const POLL_MS = 200;
/** Time for the Redis commands in addition to the waiting. */
const REDIS_MS = 5_000;

/**
 * `sluice reload`: requests a reload over Redis.
 * @returns the exit code: 1 if a process refuses the configuration, or if waiting takes too long
 * @throws {ConfigError | UsageError | UnreachableError}
 */
export async function reloadCommand(process: NodeJS.Process): Promise<number> {
  const { wait, timeout, json, help } = parseOptions(process.argv.slice(3), OPTIONS);
  if (help === true) return printText(process, USAGE);
  const seconds = Number(timeout);
  if (!(seconds > 0 && seconds <= MAX_TIMEOUT_S)) {
    throw new UsageError(`--timeout must be a number of seconds from 1 to ${MAX_TIMEOUT_S}.`);
  }
  // An invalid file is reported here, with its position. The processes would refuse it as well.
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const client = await createRedisClient(await findRedis(config, process), seconds * 1_000 + REDIS_MS);
  try {
    const store = new ConfigStore(client.redis, config.redis.prefix);
    const request = await store.request();
    const states = wait === true ? await waitForAll(store, request, seconds * 1_000) : await store.list();
    const problem = problemOf(states, wait === true ? request : undefined);
    await printText(process, json === true ? jsonText(states, problem) : `${table(states)}\n`);
    if (problem === undefined) return 0;
    process.stderr.write(`${paintError('red', '✗')} ${problem}\n`);
    return 1;
  } catch (error) {
    throw new UnreachableError(unreachableMessage(client.shown, client.reasonOf(error)), { cause: error });
  } finally {
    client.close();
  }
}

async function waitForAll(store: ConfigStore, request: number, timeoutMs: number): Promise<ProcessState[]> {
  const until = performance.now() + timeoutMs;
  for (;;) {
    const states = await store.list();
    const isRefused = states.some((state) => hasHandled(state, request) && state.issues.length > 0);
    if (isRefused || problemOf(states, request) === undefined || performance.now() > until) return states;
    await sleep(POLL_MS);
  }
}

function hasHandled(state: ProcessState, request: number): boolean {
  return state.request >= request;
}

/** @param request undefined if the command does not wait for it */
function problemOf(states: readonly ProcessState[], request: number | undefined): string | undefined {
  if (states.length === 0) return 'No process of this gateway is running.';
  if (request === undefined) return undefined;
  const refusing = states.filter((state) => hasHandled(state, request) && state.result === 'invalid');
  if (refusing.length > 0) {
    const issues = refusing.flatMap((state) => state.issues);
    const lines = issues.map(({ where, field, wrong, remedy }) => `${where} ${field}: ${wrong}; ${remedy}`);
    return `The configuration has errors, so nothing has changed:\n${[...new Set(lines)].join('\n')}`;
  }
  const failed = states.find((state) => hasHandled(state, request) && state.result === 'failed');
  if (failed) return `${nameOf(failed)} could not apply the configuration. See its log.`;
  const late = states.filter((state) => !hasHandled(state, request));
  if (late.length > 0) return `Not all processes have reloaded: ${late.map(nameOf).join(', ')}.`;
  const versions = new Set(states.map(({ version }) => version));
  if (versions.size === 1) return undefined;
  return `The processes run ${versions.size} versions. Check that they have the same file and environment variables.`;
}

function nameOf({ kind, host, pid }: ProcessState): string {
  return `${kind} ${host}:${pid}`;
}

function table(states: readonly ProcessState[]): string {
  const header = ['PROCESS', 'VERSION', 'SINCE', 'SOURCE', 'RESULT', 'NEEDS A RESTART'];
  const rows = states.map((state) => [
    nameOf(state),
    state.version,
    new Date(state.since).toISOString(),
    state.source,
    state.result,
    state.restart.join(', ') || '–',
  ]);
  return alignTable(header, rows);
}

function jsonText(states: readonly ProcessState[], problem: string | undefined): string {
  const body = { object: 'reload', ok: problem === undefined, processes: states, ...(problem && { problem }) };
  return `${JSON.stringify(body, undefined, 2)}\n`;
}
