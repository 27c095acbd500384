import { parseArgs } from 'node:util';
import { TASK_STATUSES, type TaskStatus, orList } from '@sluice/canonical';
import { UsageError } from '../terminal/usage-error.ts';

type TasksOperation = 'list' | 'show' | 'adopt' | 'fail' | 'resubmit' | 'cancel' | 'reindex';

/** Arguments of `sluice tasks`. */
export interface TasksArguments {
  operation: TasksOperation;
  /** The task id. Empty for `list` and `reindex`. */
  id: string;
  /** The vendor's job id (for `adopt`). */
  job: string;
  path?: string;
  /** The job to replace (for `adopt`). */
  insteadOf?: string;
  reason: string;
  /** The number of the lost attempt for `resubmit`, otherwise 0. */
  attempt: number;
  /** Whether to show the client's request. */
  withPrompt: boolean;
  /** The operator's name. If omitted, the logged-in user. */
  by?: string;
  note?: string;
  json: boolean;
  search: {
    status?: TaskStatus;
    owner?: string;
    upstream?: string;
    model?: string;
    olderThanMs?: number;
    after?: string;
    limit: number;
  };
}

const OPTIONS = {
  status: { type: 'string' },
  owner: { type: 'string' },
  upstream: { type: 'string' },
  model: { type: 'string' },
  'older-than': { type: 'string' },
  limit: { type: 'string' },
  after: { type: 'string' },
  prompt: { type: 'boolean' },
  path: { type: 'string' },
  'instead-of': { type: 'string' },
  reason: { type: 'string' },
  confirm: { type: 'boolean' },
  attempt: { type: 'string' },
  by: { type: 'string' },
  note: { type: 'string' },
  json: { type: 'boolean' },
} as const;

/** Positional arguments and options of each operation, in addition to `--json`. */
const SYNTAX: Readonly<Record<TasksOperation, { names: readonly string[]; options: readonly string[] }>> = {
  list: { names: [], options: ['status', 'owner', 'upstream', 'model', 'older-than', 'limit', 'after'] },
  show: { names: ['a task id'], options: ['prompt'] },
  adopt: { names: ['a task id', "the vendor's job id"], options: ['path', 'instead-of', 'by', 'note'] },
  fail: { names: ['a task id'], options: ['reason', 'by', 'note'] },
  resubmit: { names: ['a task id'], options: ['confirm', 'attempt', 'by', 'note'] },
  cancel: { names: ['a task id'], options: ['by', 'note'] },
  reindex: { names: [], options: [] },
};

/** Options of each operation, in addition to `--json`. */
export const TASKS_OPTIONS: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
  Object.entries(SYNTAX).map(([operation, { options }]) => [operation, options]),
);

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** The same maximum lengths as in the admin API. */
const MAX_LENGTHS = {
  "the vendor's job id": 256,
  '--path': 256,
  '--instead-of': 256,
  '--reason': 300,
  '--by': 64,
  '--note': 300,
};

/** @throws UsageError */
export function parseTasksArguments(args: readonly string[]): TasksArguments {
  const { values, positionals } = parse(args);
  const [operation = '', ...names] = positionals;
  if (!isOperation(operation)) throw new UsageError(`Unknown command \`sluice tasks ${operation}\`.`);
  const syntax = SYNTAX[operation];
  for (const option of Object.keys(values)) {
    if (option !== 'json' && !syntax.options.includes(option)) {
      throw new UsageError(`\`sluice tasks ${operation}\` does not accept --${option}.`);
    }
  }
  if (names.length !== syntax.names.length || names.some((name) => name.trim() === '')) {
    throw new UsageError(`\`sluice tasks ${operation}\` requires ${syntax.names.join(' and ') || 'no argument'}.`);
  }
  if (operation === 'fail' && !values.reason?.trim()) {
    throw new UsageError('Set --reason to the reason of the failure; the client sees it.');
  }
  if (operation === 'resubmit' && values.confirm !== true) {
    throw new UsageError('The vendor may then generate and charge the task twice. Add --confirm to accept this.');
  }
  if (operation === 'resubmit' && values.attempt === undefined) {
    throw new UsageError('Set --attempt to the lost attempt; `sluice tasks show` lists it.');
  }
  const { owner, upstream, model, after } = values;
  const status = readStatus(values.status);
  const [id = '', job] = names.map((name) => name.trim());
  const path = readLine('--path', values.path);
  const insteadOf = readLine('--instead-of', values['instead-of']);
  const by = readLine('--by', values.by);
  const note = readLine('--note', values.note);
  return {
    operation,
    id,
    job: readLine("the vendor's job id", job) ?? '',
    reason: readLine('--reason', values.reason) ?? '',
    attempt: values.attempt === undefined ? 0 : readInteger('attempt', values.attempt, Number.MAX_SAFE_INTEGER),
    withPrompt: values.prompt === true,
    json: values.json === true,
    ...(path !== undefined && { path }),
    ...(insteadOf !== undefined && { insteadOf }),
    ...(by !== undefined && { by }),
    ...(note !== undefined && { note }),
    search: {
      ...(status && { status }),
      ...(owner !== undefined && { owner }),
      ...(upstream !== undefined && { upstream }),
      ...(model !== undefined && { model }),
      ...(after !== undefined && { after }),
      ...(values['older-than'] !== undefined && { olderThanMs: readDuration(values['older-than']) }),
      limit: values.limit === undefined ? 20 : readInteger('limit', values.limit, 100),
    },
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: OPTIONS, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function isOperation(word: string): word is TasksOperation {
  return Object.hasOwn(SYNTAX, word);
}

function readStatus(value: string | undefined): TaskStatus | undefined {
  const status = TASK_STATUSES.find((known) => known === value);
  if (value === undefined || status) return status;
  throw new UsageError(`--status must be ${orList(TASK_STATUSES)}.`);
}

/** Trims a text and checks that it is a single line. */
function readLine(what: keyof typeof MAX_LENGTHS, value: string | undefined): string | undefined {
  const text = value?.trim();
  if (text === undefined || (text !== '' && text.length <= MAX_LENGTHS[what] && !/\p{Cc}/u.test(text))) return text;
  throw new UsageError(`${what} must be one line of at most ${MAX_LENGTHS[what]} characters.`);
}

function readInteger(option: string, value: string, max: number): number {
  const number = /^[1-9]\d{0,15}$/.test(value) ? Number(value) : Number.NaN;
  if (number <= max) return number;
  throw new UsageError(`--${option} must be an integer ${max > 1_000 ? 'of at least 1' : `from 1 to ${max}`}.`);
}

function readDuration(value: string): number {
  const { amount, unit } = /^(?<amount>\d{1,9})(?<unit>[smhd])$/.exec(value)?.groups ?? {};
  if (amount === undefined) throw new UsageError('--older-than must be a duration such as 90s, 10m, 2h, or 3d.');
  // The cast is safe because the pattern matches only known units.
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS];
}
