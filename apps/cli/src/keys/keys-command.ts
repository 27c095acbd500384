import { randomBytes } from 'node:crypto';
import { createKeyStore, type KeyRecord, type KeyStore, type IssuedKey, showKey, type ShownKey } from '@sluice/access';
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
import { findRedis, UnreachableError } from '../redis/find-redis.ts';
import { type KeysArguments, parseKeysArguments } from './keys-arguments.ts';
import { type JsonKey, keysTable, keyTable } from './keys-table.ts';
import { createRedisClient, unreachableMessage } from '../redis/redis-client.ts';
import { runOperation, type OperationResult } from '../terminal/run-operation.ts';

const USAGE = `Usage: sluice keys COMMAND

  create NAME [options]   create a key; its secret is shown only once
  list                    list all keys and their spending
  show KEY                show one key, by id or name
  update KEY [options]    change the given options only
  rotate KEY [--grace T]  create a new secret; old ones stay valid for T (default 24h; 0: not at all)
  revoke KEY              revoke a key permanently

Options:
  --models a,b            models that the key may use, or all; * matches any characters
  --strict, --vendor-references         and --no-…
  --limit-rpm N, --limit-tpm N, --limit-concurrent-tasks N, --limit-open-tasks N   or none
  --budget USD            or none; --budget-period day, month, or total
  --labels a=b,c=d        labels in the usage ledger, or none
  --expires T             30d, 12h, a date such as 2030-12-31T00:00:00Z, or never
  --json                  print the admin API's response
`;

const REDIS_MS = 10_000;

/**
 * `sluice keys …`: changes keys in the configured Redis. Running API processes apply the changes.
 * @returns the exit code
 * @throws {ConfigError} if the configuration is invalid
 */
export function keysCommand(process: NodeJS.Process): Promise<number> {
  return runOperation(process, {
    usage: USAGE,
    parse: (argv) => parseKeysArguments(argv, Date.now()),
    perform: (args) => performOnRedis(process, args),
  });
}

async function performOnRedis(process: NodeJS.Process, args: KeysArguments): Promise<OperationResult> {
  const config = await loadConfig({ env: process.env, cwd: process.cwd() });
  const client = await createRedisClient(await findRedis(config, process), REDIS_MS);
  const rejectUnreachable = (error: unknown): never => {
    throw new UnreachableError(unreachableMessage(client.shown, client.reasonOf(error)));
  };
  try {
    await client.redis.connect().catch(rejectUnreachable);
    const limiter = createLimiter(client.redis, { prefix: config.redis.prefix });
    const services: KeysServices = {
      store: openStore(config, client.redis, process),
      configured: config.keys.map(showConfigured),
      shown: shownWith(config),
      reportSpending: (key) =>
        withSpending(limiter, key, KeyBudgetSchema.safeParse(key['budget']).data).catch(rejectUnreachable),
    };
    const result = await perform(services, args);
    const warning = warningAbout(config, args);
    return warning === undefined ? result : { ...result, warning };
  } finally {
    client.close();
  }
}

/** Returns a warning if the key's models are not configured. */
function warningAbout(config: Config, { settings: { models } }: KeysArguments): string | undefined {
  if (!Array.isArray(models)) return undefined;
  const unserved = unservedModels(config, models.map(String));
  if (unserved.length === 0) return undefined;
  return `No configured model matches ${unserved.join(', ')}. Check the spelling.`;
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

interface KeysServices {
  store: KeyStore;
  /** The configuration's keys, in the admin API's format. */
  configured: readonly NamedKey[];
  shown: (record: KeyRecord) => ShownKey;
  /** Adds the key's spending. */
  reportSpending: (key: NamedKey) => Promise<NamedKey>;
}

type NamedKey = JsonKey & { name: string };

async function perform(services: KeysServices, args: KeysArguments): Promise<OperationResult> {
  const { store, configured, shown, reportSpending } = services;
  const { operation, key, settings, expiresAt, graceMs } = args;
  const configuredKey = configured.find(({ name }) => name === key);
  if (configuredKey !== undefined && operation !== 'create') {
    if (operation === 'show') return show(await reportSpending(configuredKey));
    throw new GatewayError('invalid_request', 'This key is defined in the configuration file. Change it there.');
  }
  switch (operation) {
    case 'create': {
      const params = { name: key, settings, ...(typeof expiresAt === 'number' && { expiresAt }) };
      return showIssued(
        services,
        await store.create(params),
        'This secret is shown only once; Sluice stores its hash.',
      );
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
      const issued = await store.rotate(key, graceMs);
      const former = graceMs === 0 ? 'Earlier secrets have expired.' : 'Earlier secrets expire at the time above.';
      return showIssued(services, issued, `This secret is shown only once; Sluice stores its hash. ${former}`);
    }
    case 'revoke':
      return show(shown(await store.revoke(key)));
  }
}

function show(key: JsonKey): OperationResult {
  return { json: key, text: keyTable(key) };
}

function showIssued(
  { shown }: Pick<KeysServices, 'shown'>,
  { record, secret }: IssuedKey,
  note: string,
): OperationResult {
  const key = shown(record);
  return { json: { ...key, key: secret }, text: `${keyTable(key)}\n\n  ${secret}\n\n  ${note}` };
}

/** Formats a stored key as the admin API does. */
function shownWith(config: Config): KeysServices['shown'] {
  const catalog = modelCatalog(config);
  const configuredNames = config.keys.map(({ name }) => name);
  const hasModel = (id: string): boolean => catalog.find(id) !== undefined;
  return (record) => showKey(record, { now: Date.now(), configuredNames, hasModel });
}

/** Formats a configured key as the admin API does. */
function showConfigured({ key: _secret, name, ...settings }: Config['keys'][number]): NamedKey {
  return { object: 'key', name, source: 'configuration', status: 'active', ...settings };
}
