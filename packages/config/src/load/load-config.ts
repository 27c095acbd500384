import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { accountName, splitAccount } from '@sluice/canonical';
import { addVendors } from './add-vendors.ts';
import { checkOutputs } from '../check/check-outputs.ts';
import { checkCredentials } from '../check/check-credentials.ts';
import { checkPools } from '../check/check-pools.ts';
import { checkReferences } from '../check/check-references.ts';
import { ConfigError, type ConfigIssue, type FieldPath } from '../issues/config-error.ts';
import {
  type Environment,
  expandEnvironment,
  type Expansion,
  pathKey,
  readVariable,
  type References,
} from './expand-environment.ts';
import { checkCredentialFiles } from './check-credential-files.ts';
import { type ConfigDocument, withDocument } from './config-document.ts';
import { referToPemFiles } from './pem-files.ts';
import { readSecretFiles } from './secret-files.ts';
import { credentialOwner, type Locate, parseSettings, pooledIndex, replaceAt, valueAt } from './parse-settings.ts';
import { KINDS } from '../schema/kinds.ts';
import { SANDBOX, SANDBOX_DEFAULTS } from '../schema/sandbox.ts';
import type { Config, ConfigFile, DisabledModel, DisabledUpstream } from '../schema/schema.ts';
import { parseYamlSource } from './yaml-source.ts';

export interface ConfigSource {
  env: Environment;
  /** Base folder for relative paths and the default `sluice.yaml`. */
  cwd: string;
  /** A configuration that is not in a file. Its sections replace those of the file. */
  document?: ConfigDocument | undefined;
}

export interface LoadedConfig {
  config: Config;
  /** Returns the position of a field. */
  locate: Locate;
  /** The files of secrets that it refers to, also if they do not exist. */
  files: string[];
}

/** API key of the zero configuration, which listens on loopback only. */
export const LOCAL_KEY = 'sk-test-local';

/**
 * Reads the configuration from `SLUICE_CONFIG` or `./sluice.yaml`. Without a file, uses the zero configuration.
 * Environment variables override both.
 * @throws ConfigError with one line per issue
 */
export async function loadConfig(source: ConfigSource): Promise<Config> {
  return (await readConfig(source)).config;
}

/** Like {@link loadConfig}, with the positions of the fields. @throws ConfigError with one line per issue */
export async function readConfig({ env, cwd, document }: ConfigSource): Promise<LoadedConfig> {
  const file = await readConfigFile(env, cwd);
  const local = file === undefined ? undefined : parseYamlSource(file.name, file.text);
  const { source, dirs, refuseVariable } = withDocument(local, document);
  const written = referToPemFiles(source?.value ?? {});
  const files = await readSecretFiles(written, { cwd, dirs });
  const expansion = expandSettings(written, env, { files, refuseVariable }, source?.where);
  const overrides = applyEnvironment(expansion, env, file === undefined);
  const locate: Locate = (field, part) =>
    overrides.get(pathKey(field)) ?? source?.where(field, part) ?? 'the environment';
  const parsed = parseSettings(expansion, locate);
  const sandbox = parsed.sandbox.enabled ?? file === undefined;
  const vendors = [...(sandbox ? [SANDBOX] : []), ...(file === undefined ? KINDS.vendors : [])];
  const { settings, unset: unsetByVendors } = addVendors(parsed, vendors, env);
  const unset = [...expansion.unset, ...unsetByVendors];
  settings.sandbox.enabled = sandbox;
  if (file === undefined) settings.defaults = { ...SANDBOX_DEFAULTS, ...settings.defaults };
  const unsetFields = unset.map(({ path: field }) => field);
  const found = [
    ...checkReferences(settings),
    ...checkPools(settings),
    ...checkCredentials(settings, unsetFields),
    ...checkOutputs(settings, unsetFields),
    ...(await checkCredentialFiles(settings, { cwd, dirs })),
  ];
  const issues = found.map(({ path: field, wrong, remedy }): ConfigIssue => ({
    where: locate(field, 'value'),
    path: field,
    wrong,
    remedy,
  }));
  // With a configuration in Redis, the file needs no keys.
  if (settings.keys.length === 0 && settings.config.source === 'file') {
    const wrong = 'at least one API key is required';
    issues.push({ where: locate(['keys'], 'key'), path: ['keys'], wrong, remedy: 'add one, or set SLUICE_KEY' });
  }
  if (issues.length > 0) throw new ConfigError(issues);
  const dataDir = path.resolve(cwd, readVariable(env, 'SLUICE_DATA_DIR') ?? '.sluice');
  const config = {
    ...leaveOutUnset(settings, unset),
    ...(file === undefined ? {} : { file: file.path }),
    dataDir,
    contentDir: path.resolve(cwd, settings.content.dir ?? path.join(dataDir, 'content')),
  };
  return { config, locate, files: [...files.keys()].map((name) => path.resolve(cwd, name)) };
}

/** Returns the path of the configuration file, which may not exist. */
export function configFilePath({ env, cwd }: Pick<ConfigSource, 'env' | 'cwd'>): string {
  return path.resolve(cwd, readVariable(env, 'SLUICE_CONFIG') ?? 'sluice.yaml');
}

async function readConfigFile(env: Environment, cwd: string) {
  const variable = readVariable(env, 'SLUICE_CONFIG');
  const name = variable ?? 'sluice.yaml';
  const filePath = path.resolve(cwd, name);
  try {
    return { name, path: filePath, text: await readFile(filePath, 'utf8') };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    if (variable === undefined && code === 'ENOENT') return undefined;
    const wrong = code === 'ENOENT' ? `${filePath} does not exist` : `${filePath} cannot be read (${code})`;
    const remedy = variable === undefined ? 'make it readable' : 'name a file that can be read, or unset SLUICE_CONFIG';
    throw new ConfigError([{ where: variable === undefined ? name : 'SLUICE_CONFIG', path: [], wrong, remedy }]);
  }
}

function expandSettings(
  value: unknown,
  env: Environment,
  references: References,
  locate: Locate | undefined,
): Expansion {
  try {
    return expandEnvironment(value, env, references);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const where = locate?.([], 'value') ?? 'the environment';
    throw new ConfigError([{ where, path: [], wrong: `the settings are ${error.message}`, remedy: 'flatten them' }]);
  }
}

/** Applies environment variables. Returns which variable set each field. */
function applyEnvironment(expansion: Expansion, env: Environment, zero: boolean): Map<string, string> {
  const origins = new Map<string, string>();
  const put = (field: FieldPath, variable: string, next: unknown) => {
    if (!replaceAt(expansion.value, field, next)) return;
    origins.set(pathKey(field), variable);
    expansion.variables.set(pathKey(field), [variable]);
    expansion.unset = expansion.unset.filter((entry) => pathKey(entry.path) !== pathKey(field));
  };
  const override = (field: FieldPath, variable: string, when = true) => {
    const value = readVariable(env, variable);
    if (value !== undefined && when) put(field, variable, value);
  };
  override(['server', 'host'], 'SLUICE_HOST');
  override(['server', 'port'], 'SLUICE_PORT');
  override(['server', 'processes'], 'SLUICE_PROCESSES');
  override(['server', 'secret'], 'SLUICE_SECRET');
  override(['server', 'admin_key'], 'SLUICE_ADMIN_KEY');
  override(['log', 'level'], 'SLUICE_LOG_LEVEL');
  const namesRedis = ['url', 'sentinels', 'cluster'].some(
    (field) => valueAt(expansion.value, ['redis', field]) !== undefined,
  );
  override(['redis', 'url'], 'REDIS_URL', !namesRedis);
  const key = readVariable(env, 'SLUICE_KEY') ?? (zero ? LOCAL_KEY : undefined);
  const keys = valueAt(expansion.value, ['keys']);
  if (key !== undefined && (keys === undefined || (Array.isArray(keys) && keys.length === 0))) {
    put(['keys'], 'SLUICE_KEY', [{ name: 'local', key }]);
    origins.set(pathKey(['keys', 0, 'key']), 'SLUICE_KEY');
  }
  return origins;
}

/** Removes upstreams with an unset credential, the routes to them, and models without a remaining route. */
function leaveOutUnset(
  settings: ConfigFile,
  unset: Expansion['unset'],
): ConfigFile & { disabledUpstreams: DisabledUpstream[]; disabledModels: DisabledModel[] } {
  const { missing, upstreams, disabled } = withoutUnset(settings, unset);
  const models = settings.models.map((model) => ({
    ...model,
    routes: model.routes.filter((route) => !missing.has(route.upstream)),
  }));
  const disabledModels = settings.models
    .filter((_, index) => models[index]?.routes.length === 0)
    .map(({ id, routes }) => ({
      id,
      variables: [...new Set(routes.flatMap((route) => missing.get(route.upstream) ?? []))],
    }));
  return {
    ...settings,
    upstreams,
    models: models.filter((model) => model.routes.length > 0),
    disabledUpstreams: [...[...missing].map(([name, variable]) => ({ name, variable })), ...disabled],
    disabledModels,
  };
}

interface SetUpstreams {
  /** The variables of upstreams without any credential, by upstream. */
  missing: Map<string, string>;
  upstreams: ConfigFile['upstreams'];
  /** Credentials that are left out of their pools. */
  disabled: DisabledUpstream[];
}

/** A pool loses only the credentials whose variable is not set. Without any other, its upstream is removed. */
function withoutUnset(settings: ConfigFile, unset: Expansion['unset']): SetUpstreams {
  const missing = new Map<string, string>();
  const upstreams = { ...settings.upstreams };
  const disabled: DisabledUpstream[] = [];
  for (const { path: field, variable } of unset) {
    const owner = credentialOwner(field);
    if (owner === undefined) continue;
    const index = pooledIndex(field);
    const left = index === undefined ? undefined : settings.upstreams[owner]?.credentials?.[index];
    const upstream = upstreams[owner];
    const others = left && upstream?.credentials?.filter(({ name }) => name !== left.name);
    if (left && upstream && others && others.length > 0) {
      upstreams[owner] = { ...upstream, credentials: others };
      disabled.push({ name: accountName({ upstream: owner, credential: left.name }), variable });
    } else if (!missing.has(owner)) {
      missing.set(owner, variable);
    }
  }
  for (const owner of missing.keys()) delete upstreams[owner];
  return { missing, upstreams, disabled: disabled.filter(({ name }) => !missing.has(splitAccount(name).upstream)) };
}
