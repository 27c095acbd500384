import { userInfo } from 'node:os';
import { loadConfig, showRedis, taskSettings } from '@sluice/config';
import { MAX_STREAM_ENTRIES } from '@sluice/ledger';
import type * as Tasks from '@sluice/tasks';
import { findRedis, UnreachableError } from '../redis/find-redis.ts';
import { unreachableMessage } from '../redis/redis-client.ts';
import { runOperation, type OperationResult } from '../terminal/run-operation.ts';
import { parseTasksArguments, type TasksArguments } from './tasks-arguments.ts';
import { dossierTable, tasksTable, taskTable } from './tasks-table.ts';

const USAGE = `Usage: sluice tasks COMMAND

  list [options]           list open tasks of all keys: lost submissions first, then the oldest
  show TASK [--prompt]     show a task's record and timeline
  adopt TASK JOB           assign the vendor's job to a lost submission; --path sets the job's path if it differs
                           from the request's; --instead-of WRONG replaces a job assigned by mistake
  fail TASK --reason R     fail an open task; the client sees the reason
  resubmit TASK --confirm --attempt N
                           submit again after attempt N was lost; the vendor may generate and charge both
  cancel TASK              cancel a task as its client can
  reindex                  rebuild the index of tasks by status

Options:
  --status S, --owner KEY, --upstream U, --model M, --older-than 10m   for list
  --limit N, --after CURSOR for list: tasks per page (default 20), and where the page starts
  --by NAME, --note N      operator and note for the timeline
  --json                   print the admin API's response
`;

const REDIS_MS = 5_000;

/**
 * `sluice tasks …`: changes tasks in the configured Redis. Running workers apply the changes.
 * @returns the exit code
 * @throws {ConfigError} if the configuration is invalid
 */
export function tasksCommand(process: NodeJS.Process): Promise<number> {
  return runOperation(process, {
    usage: USAGE,
    parse: parseTasksArguments,
    perform: (args) => performOnRedis(process, args),
  });
}

async function performOnRedis(process: NodeJS.Process, args: TasksArguments): Promise<OperationResult> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  // Loaded lazily, because every start of a gateway imports this module.
  const tasks: typeof Tasks = await import('@sluice/tasks');
  const { signInToRedis } = await import('@sluice/redis');
  const redis = await signInToRedis(await findRedis(config, process));
  const { operator, close } = await tasks
    .openTaskOperator({
      redis,
      prefix: config.redis.prefix,
      settings: { ...taskSettings(config), maxLedgerEntries: config.ledger.enabled ? MAX_STREAM_ENTRIES : undefined },
      timeoutMs: REDIS_MS,
      logger: SILENT,
    })
    .catch((error: unknown) => {
      throw new UnreachableError(unreachableMessage(showRedis(redis)), { cause: error });
    });
  try {
    return await perform(operator, tasks, args);
  } finally {
    await close();
  }
}

const SILENT = { info: () => undefined, warn: () => undefined, debug: () => undefined };

async function perform(
  operator: Tasks.TaskOperator,
  { showTaskDetails, showResult, showTask }: typeof Tasks,
  args: TasksArguments,
): Promise<OperationResult> {
  const { operation, id } = args;
  const act = { by: args.by ?? currentUser(), ...(args.note !== undefined && { note: args.note }) };
  switch (operation) {
    case 'list': {
      const { tasks, next } = await operator.search(args.search);
      const data = tasks.map(showTask);
      const json = { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
      const more = next === undefined ? '' : `\n\n  Next page: --after ${next}`;
      return { json, text: tasksTable(data, Date.now()) + more };
    }
    case 'show': {
      const dossier = showTaskDetails(await operator.show(id), args.withPrompt);
      return { json: dossier, text: dossierTable(dossier) };
    }
    case 'adopt': {
      const job = {
        upstreamJobId: args.job,
        ...(args.path !== undefined && { upstreamPath: args.path }),
        ...(args.insteadOf !== undefined && { insteadOf: args.insteadOf }),
      };
      return showChanged(await operator.adopt(id, job, act));
    }
    case 'fail':
      return showChanged(await operator.fail(id, args.reason, act));
    case 'resubmit':
      return showChanged(await operator.resubmit(id, args.attempt, act));
    case 'cancel':
      return showChanged(await operator.cancel(id, act));
    case 'reindex': {
      const tasks = await operator.reindex();
      return { json: { object: 'index', tasks }, text: `  ${tasks} tasks in the index.` };
    }
  }

  function showChanged(result: Tasks.OperatorResult): OperationResult {
    const json = showResult(result);
    const note = result.changed ? '' : '\n\n  This was already done.';
    return { json, text: taskTable(showTask(result.task)) + note };
  }
}

function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator'; // a container may have no user name
  }
}
