import { userInfo } from 'node:os';
import { loadConfig, showUrl, taskSettings } from '@sluice/config';
import type * as Tasks from '@sluice/tasks';
import { findRedis, UnreachableError } from './find-redis.ts';
import { runOperation, type Shown } from './run-operation.ts';
import { parseTasksArguments, type TasksArguments } from './tasks-command-arguments.ts';
import { dossierTable, tasksTable, taskTable } from './tasks-command-table.ts';

const USAGE = `Usage: sluice tasks COMMAND

  list [options]           open tasks of all keys: lost submissions first, then the oldest
  show TASK [--prompt]     all that is kept of a task, and what happened to it
  adopt TASK JOB           give a lost submission the vendor's job; --path for where it is found, if not where
                           the request led to; --instead-of WRONG for a job that was given by mistake
  fail TASK --reason R     end an open task; its client is told the reason
  resubmit TASK --confirm --attempt N
                           submit a lost submission once more: the vendor may make, and charge, both; N was lost
  cancel TASK              cancel as the client could
  reindex                  build the index of tasks by state anew

Options:
  --status S, --owner KEY, --upstream U, --model M, --older-than 10m   for list
  --limit N, --after PLACE for list: 20 tasks a page, and where the next one begins
  --by NAME, --note N      for the timeline: who does it, and why
  --json                   for programs: what the admin API would answer
`;

const REDIS_MS = 5_000;

/**
 * `sluice tasks …`: works on the Redis of the configuration, as the admin API does; workers go on from there.
 * @returns the exit code
 * @throws {ConfigError} when the configuration is wrong
 */
export function tasksCommand(process: NodeJS.Process): Promise<number> {
  return runOperation(process, {
    name: 'tasks',
    usage: USAGE,
    parse: parseTasksArguments,
    perform: (asked) => performOnRedis(process, asked),
  });
}

async function performOnRedis(process: NodeJS.Process, asked: TasksArguments): Promise<Shown> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const redisUrl = await findRedis(config, process);
  // Only when it is needed: every start of a gateway comes through here, too.
  const tasks: typeof Tasks = await import('@sluice/tasks');
  const { operator, close } = await tasks
    .openTaskOperator({
      redisUrl,
      prefix: config.redis.prefix,
      settings: taskSettings(config),
      timeoutMs: REDIS_MS,
      logger: SILENT,
    })
    .catch((error: unknown) => {
      throw new UnreachableError(`Redis at ${showUrl(redisUrl)} does not answer.`, { cause: error });
    });
  try {
    return await perform(operator, tasks, asked);
  } finally {
    await close();
  }
}

const SILENT = { info: () => undefined, warn: () => undefined, debug: () => undefined };

async function perform(
  operator: Tasks.TaskOperator,
  { showDossier, showResult, showTask }: typeof Tasks,
  asked: TasksArguments,
): Promise<Shown> {
  const { operation, id } = asked;
  const act = { by: asked.by ?? whoIsHere(), ...(asked.note !== undefined && { note: asked.note }) };
  switch (operation) {
    case 'list': {
      const { tasks, next } = await operator.search(asked.search);
      const data = tasks.map(showTask);
      const json = { object: 'list', data, has_more: next !== undefined, ...(next !== undefined && { next }) };
      const more = next === undefined ? '' : `\n\n  There are more: --after ${next}`;
      return { json, text: tasksTable(data, Date.now()) + more };
    }
    case 'show': {
      const dossier = showDossier(await operator.show(id), asked.withPrompt);
      return { json: dossier, text: dossierTable(dossier) };
    }
    case 'adopt': {
      const job = {
        upstreamJobId: asked.job,
        ...(asked.path !== undefined && { upstreamPath: asked.path }),
        ...(asked.insteadOf !== undefined && { insteadOf: asked.insteadOf }),
      };
      return showChanged(await operator.adopt(id, job, act));
    }
    case 'fail':
      return showChanged(await operator.fail(id, asked.reason, act));
    case 'resubmit':
      return showChanged(await operator.resubmit(id, asked.attempt, act));
    case 'cancel':
      return showChanged(await operator.cancel(id, act));
    case 'reindex': {
      const tasks = await operator.reindex();
      return { json: { object: 'index', tasks }, text: `  ${tasks} tasks are in the index.` };
    }
  }

  function showChanged(result: Tasks.OperatorResult): Shown {
    const json = showResult(result);
    const done = result.changed ? '' : '\n\n  It had been done before.';
    return { json, text: taskTable(showTask(result.task)) + done };
  }
}

function whoIsHere(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator'; // in a container whose user has no name
  }
}
