import { parseArgs } from 'node:util';
import { TASK_STATUSES, type TaskStatus } from '@sluice/canonical';
import { UsageError } from './usage-error.ts';

/** What `sluice tasks` can do. */
type TasksOperation = 'list' | 'show' | 'adopt' | 'fail' | 'resubmit' | 'cancel' | 'reindex';

/** What `sluice tasks …` was asked for. */
export interface TasksArguments {
  operation: TasksOperation;
  /** The task; empty for `list` and `reindex`. */
  id: string;
  /** The vendor's job, for `adopt`. */
  job: string;
  path?: string;
  /** The job that was given by mistake, for `adopt`. */
  insteadOf?: string;
  reason: string;
  /** The attempt that was lost, for `resubmit`; else 0. */
  attempt: number;
  /** Whether what the client asked for is shown in its own words. */
  withPrompt: boolean;
  /** Who acts; absent: who is logged in. */
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

/** What an operation takes: names on the line, and options besides `--json`. */
const TAKES: Readonly<Record<TasksOperation, { names: readonly string[]; options: readonly string[] }>> = {
  list: { names: [], options: ['status', 'owner', 'upstream', 'model', 'older-than', 'limit', 'after'] },
  show: { names: ['a task'], options: ['prompt'] },
  adopt: { names: ['a task', "the vendor's id of the job"], options: ['path', 'instead-of', 'by', 'note'] },
  fail: { names: ['a task'], options: ['reason', 'by', 'note'] },
  resubmit: { names: ['a task'], options: ['confirm', 'attempt', 'by', 'note'] },
  cancel: { names: ['a task'], options: ['by', 'note'] },
  reindex: { names: [], options: [] },
};

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
/** Most characters of what is said in words, as the admin API takes them. */
const LONGEST = {
  "the vendor's id of the job": 256,
  '--path': 256,
  '--instead-of': 256,
  '--reason': 300,
  '--by': 64,
  '--note': 300,
};

/**
 * Reads what follows `sluice tasks`.
 * @throws UsageError
 */
export function parseTasksArguments(args: readonly string[]): TasksArguments {
  const { values, positionals } = parse(args);
  const [operation = '', ...names] = positionals;
  if (!isOperation(operation)) throw new UsageError(`There is no \`sluice tasks ${operation}\`.`);
  const takes = TAKES[operation];
  for (const option of Object.keys(values)) {
    if (option !== 'json' && !takes.options.includes(option)) {
      throw new UsageError(`\`sluice tasks ${operation}\` takes no --${option}.`);
    }
  }
  if (names.length !== takes.names.length || names.some((name) => name.trim() === '')) {
    throw new UsageError(`\`sluice tasks ${operation}\` wants ${takes.names.join(' and ') || 'no name'}.`);
  }
  if (operation === 'fail' && !values.reason?.trim()) {
    throw new UsageError('Say with --reason why the task fails: its client is told.');
  }
  if (operation === 'resubmit' && values.confirm !== true) {
    throw new UsageError('The vendor may then make, and charge, the task twice: say --confirm if that is worth it.');
  }
  if (operation === 'resubmit' && values.attempt === undefined) {
    throw new UsageError('Say with --attempt which attempt is lost: `sluice tasks show` tells it.');
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
    job: readLine("the vendor's id of the job", job) ?? '',
    reason: readLine('--reason', values.reason) ?? '',
    attempt: values.attempt === undefined ? 0 : readBuffered('attempt', values.attempt, Number.MAX_SAFE_INTEGER),
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
      limit: values.limit === undefined ? 20 : readBuffered('limit', values.limit, 100),
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
  return Object.hasOwn(TAKES, word);
}

function readStatus(given: string | undefined): TaskStatus | undefined {
  const status = TASK_STATUSES.find((known) => known === given);
  if (given === undefined || status) return status;
  throw new UsageError(`--status is one of ${TASK_STATUSES.join(', ')}.`);
}

/** One line of text, without the space around it that copying leaves. */
function readLine(what: keyof typeof LONGEST, given: string | undefined): string | undefined {
  const text = given?.trim();
  if (text === undefined || (text !== '' && text.length <= LONGEST[what] && !/\p{Cc}/u.test(text))) return text;
  throw new UsageError(`${what} must be one line of at most ${LONGEST[what]} characters.`);
}

function readBuffered(option: string, given: string, max: number): number {
  const number = /^[1-9]\d{0,15}$/.test(given) ? Number(given) : Number.NaN;
  if (number <= max) return number;
  throw new UsageError(`--${option} wants a whole number from 1${max > 1_000 ? '' : ` to ${max}`}.`);
}

function readDuration(given: string): number {
  const { amount, unit } = /^(?<amount>\d{1,9})(?<unit>[smhd])$/.exec(given)?.groups ?? {};
  if (amount === undefined) throw new UsageError('--older-than wants a time such as 90s, 10m, 2h or 3d.');
  return Number(amount) * UNITS_MS[unit as keyof typeof UNITS_MS]; // the pattern knows these alone
}
