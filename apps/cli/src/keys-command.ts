import { randomBytes } from 'node:crypto';
import { createKeyStore, type KeyRecord, type KeyStore, type MadeKey, showKey, type ShownKey } from '@sluice/access';
import { GatewayError } from '@sluice/canonical';
import {
  type Config,
  KeyBudgetSchema,
  KeySettingsSchema,
  loadConfig,
  modelCatalog,
  unservedModels,
} from '@sluice/config';
import { createLimiter, withSpending } from '@sluice/limits';
import { findRedis, UnreachableError } from './find-redis.ts';
import { type KeysArguments, parseKeysArguments } from './keys-command-arguments.ts';
import { type JsonKey, keysTable, keyTable } from './keys-command-table.ts';
import { createRedisClient } from './redis-client.ts';
import { runOperation, type Shown } from './run-operation.ts';

const USAGE = `Usage: sluice keys COMMAND

  create NAME [options]   make a key; its secret is shown this once
  list                    all keys, and what was spent of their budgets
  show KEY                one key, by its id or name
  update KEY [options]    change what the options name
  rotate KEY [--grace T]  a new secret; the one before stays good for T, 24h by default, 0: not at all
  revoke KEY              end a key for good

Options:
  --models a,b            models that the key may use, or all; * stands for any run of characters
  --strict, --vendor-references         and --no-…
  --limit-rpm N, --limit-tpm N, --limit-concurrent-tasks N, --limit-open-tasks N   or none
  --budget USD            or none; --budget-period day, month or total
  --expires T             30d, 12h, a date such as 2030-12-31T00:00:00Z, or never
  --json                  for programs: what the admin API would answer
`;

const REDIS_MS = 10_000;

/**
 * `sluice keys …`: works on the Redis of the configuration, as the admin API does; running API processes follow.
 * @returns the exit code
 * @throws {ConfigError} when the configuration is wrong
 */
export function keysCommand(process: NodeJS.Process): Promise<number> {
  return runOperation(process, {
    name: 'keys',
    usage: USAGE,
    parse: (args) => parseKeysArguments(args, Date.now()),
    perform: (asked) => performOnRedis(process, asked),
  });
}

async function performOnRedis(process: NodeJS.Process, asked: KeysArguments): Promise<Shown> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const client = await createRedisClient(await findRedis(config, process), REDIS_MS);
  const away = (error: unknown): never => {
    throw new UnreachableError(`Redis at ${client.shown} does not answer: ${client.reasonOf(error)}.`);
  };
  try {
    await client.redis.connect().catch(away);
    const limiter = createLimiter(client.redis, { prefix: config.redis.prefix });
    const services: KeysServices = {
      store: openStore(config, client.redis, process),
      configured: config.keys.map(showConfigured),
      shown: shownWith(config),
      reportSpending: (key) => withSpending(limiter, key, KeyBudgetSchema.safeParse(key['budget']).data).catch(away),
    };
    const done = await perform(services, asked);
    const warning = doubtAbout(config, asked);
    return warning === undefined ? done : { ...done, warning };
  } finally {
    client.close();
  }
}

/** What may not be meant: models that nothing serves. */
function doubtAbout(config: Config, { settings: { models } }: KeysArguments): string | undefined {
  if (!Array.isArray(models)) return undefined;
  const unserved = unservedModels(config, models.map(String));
  if (unserved.length === 0) return undefined;
  const who = unserved.length === 1 ? 'it' : 'they';
  return `No model of the configuration fits ${unserved.join(', ')}: ${who} may be misspelled.`;
}

function openStore(
  config: Config,
  redis: Parameters<typeof createKeyStore>[0]['redis'],
  process: NodeJS.Process,
): KeyStore {
  return createKeyStore({
    redis,
    prefix: config.redis.prefix,
    parseSettings: (settings) => {
      const parsed = KeySettingsSchema.safeParse(settings);
      if (parsed.success) return parsed.data;
      const issue = parsed.error.issues[0];
      throw new GatewayError('invalid_request', `${issue?.path.join('.')}: ${issue?.message}.`);
    },
    takenNames: new Set(config.keys.map(({ name }) => name)),
    now: Date.now,
    randomBytes,
    logger: {
      error: (fields: object, what?: string) => {
        const id = 'key_id' in fields ? ` (${String(fields.key_id)})` : '';
        process.stderr.write(`✗ ${what}${id}\n`);
      },
    },
  });
}

/** What the operations work with. */
interface KeysServices {
  store: KeyStore;
  /** Keys of the configuration, as they are shown. */
  configured: readonly NamedKey[];
  /** Shows a stored key. */
  shown: (record: KeyRecord) => ShownKey;
  /** Adds what was spent. */
  reportSpending: (key: NamedKey) => Promise<NamedKey>;
}

type NamedKey = JsonKey & { name: string };

async function perform(services: KeysServices, asked: KeysArguments): Promise<Shown> {
  const { store, configured, shown, reportSpending } = services;
  const { operation, key, settings, expiresAt, graceMs } = asked;
  const here = configured.find(({ name }) => name === key);
  if (here !== undefined && operation !== 'create') {
    if (operation === 'show') return show(await reportSpending(here));
    throw new GatewayError('invalid_request', 'This key stands in the configuration: change it there.');
  }
  switch (operation) {
    case 'create': {
      const params = { name: key, settings, ...(typeof expiresAt === 'number' && { expiresAt }) };
      return showMade(services, await store.create(params), 'This secret is shown this once: only its hash is stored.');
    }
    case 'list': {
      const stored = (await store.list()).map(shown);
      const data = await Promise.all([...configured, ...stored].map(reportSpending));
      return { json: { object: 'list', data }, text: keysTable(data) };
    }
    case 'show':
      return show(await reportSpending(shown(await store.retrieve(key))));
    case 'update':
      return show(shown(await store.change(key, { settings, ...(expiresAt !== undefined && { expiresAt }) })));
    case 'rotate': {
      const made = await store.rotate(key, graceMs);
      const former = graceMs === 0 ? 'The ones before have ended.' : 'When the ones before end is told above.';
      return showMade(services, made, `This secret is shown this once: only its hash is stored. ${former}`);
    }
    case 'revoke':
      return show(shown(await store.revoke(key)));
  }
}

function show(key: JsonKey): Shown {
  return { json: key, text: keyTable(key) };
}

function showMade({ shown }: Pick<KeysServices, 'shown'>, { record, secret }: MadeKey, note: string): Shown {
  const key = shown(record);
  return { json: { ...key, key: secret }, text: `${keyTable(key)}\n\n  ${secret}\n\n  ${note}` };
}

/** As the admin API shows a stored key. */
function shownWith(config: Config): KeysServices['shown'] {
  const catalog = modelCatalog(config);
  const configuredNames = config.keys.map(({ name }) => name);
  const hasModel = (id: string): boolean => catalog.find(id) !== undefined;
  return (record) => showKey(record, { now: Date.now(), configuredNames, hasModel });
}

/** As the admin API shows a key of the configuration. */
function showConfigured({ key: _secret, name, ...settings }: Config['keys'][number]): NamedKey {
  return { object: 'key', name, source: 'configuration', status: 'active', ...settings };
}
