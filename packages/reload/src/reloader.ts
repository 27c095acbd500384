import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import {
  applicableIssues,
  type Config,
  type ConfigChange,
  type ConfigDifference,
  ConfigError,
  compareConfigs,
  configFilePath,
  configVersion,
  type LoadedConfig,
  readConfig,
} from '@sluice/config';
import { type Logger, processLinesLevel } from '@sluice/telemetry';
import type { Redis } from 'ioredis';
import { ConfigStore, type ProcessState, type ReloadOutcome, type ShownIssue } from './config-store.ts';
import { keep, type LoadedSource, loadStored, logInvalid, type ProcessEnvironment } from './load-shared.ts';
import { followRequests } from './follow-requests.ts';
import { shownIssues } from './shown-issues.ts';
import { watchFiles } from './watch-files.ts';

export interface ReloadFacts {
  /** The cause of the reload: `file`, `signal`, `redis`, `request`, or `admin`. */
  trigger: string;
  /** The version before the reload. */
  from: string;
  /** The version after it. */
  version: string;
}

/** Applies a configuration between two requests. If it throws, it has changed nothing. */
export type ApplyConfig = (difference: ConfigDifference, facts: ReloadFacts) => void | Promise<void>;

export interface ReloaderOptions extends ProcessEnvironment {
  kind: ProcessState['kind'];
  /** The configuration at the start. */
  loaded: LoadedSource;
  /** The gateway's secret, which keys the versions. */
  secret: string;
  /** May be unavailable. */
  redis: Redis;
  /** Reads the file again. By default, with `readConfig`. */
  readLocal?: () => Promise<LoadedConfig>;
  metrics?: ReloadMetrics | undefined;
  logger: Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;
  now?: () => number;
}

export interface ReloadMetrics {
  configVersion: { reset(): void; set(labels: { version: string }, value: number): void };
  configReloads: { inc(labels: { result: string }): void };
}

export interface ReloadResult {
  result: ReloadOutcome;
  /** The version in force after the reload. */
  version: string;
  /** The changed fields that a reload applies, without secrets. */
  changes: ConfigChange[];
  /** Changed fields that apply after a restart. */
  restart: string[];
  issues: ShownIssue[];
}

const MAX_LOGGED_CHANGES = 20;

/** Reloads the configuration of one process: after a change of the files, a signal, or a request in Redis. */
export class Reloader {
  readonly store: ConfigStore;
  readonly #options: ReloaderOptions;
  readonly #now: () => number;
  #loaded: LoadedSource;
  /** The configuration in force. It has the fields of the start that need a restart. */
  #running: Config;
  #state: ProcessState;
  #apply: ApplyConfig | undefined;
  #last: Promise<unknown> = Promise.resolve();
  #parts: { close(): void }[] = [];

  constructor(options: ReloaderOptions) {
    const { loaded, kind, secret, redis, now = Date.now } = options;
    const { config, source } = loaded;
    this.#options = options;
    this.#now = now;
    this.#loaded = loaded;
    this.#running = config;
    this.store = new ConfigStore(redis, config.redis.prefix, now);
    this.#state = {
      id: randomUUID(),
      kind,
      host: hostname(),
      pid: process.pid,
      version: configVersion(config, secret),
      since: now(),
      source,
      result: 'start',
      request: 0,
      restart: [],
      issues: [],
    };
    this.#showVersion();
  }

  get state(): Readonly<ProcessState> {
    return this.#state;
  }

  /** The configuration in force. */
  get config(): Config {
    return this.#running;
  }

  /** Starts to watch. Changes since the start of the process are applied at once. */
  start(apply: ApplyConfig): void {
    const { env, cwd, logger } = this.#options;
    this.#apply = apply;
    const { version, source } = this.#state;
    logger[processLinesLevel(env)]({ version, source }, 'configuration in force');
    const file = configFilePath({ env, cwd });
    const watched = watchFiles({
      files: () => [file, ...this.#loaded.files],
      onFirst: () => void this.#reloadIfChanged(),
      onChange: () => void this.reload('file'),
    });
    const requests = followRequests({
      store: this.store,
      onRequest: (request) => this.reload('request', request),
      onStamp: (stamp) => this.#storedChanged(stamp),
      state: () => this.#state,
      setRequest: (request) => (this.#state = { ...this.#state, request }),
    });
    this.#parts = [watched, requests];
  }

  /** Reads the configuration again and applies it. One reload runs at a time. Never rejects. */
  reload(trigger: string, request?: number): Promise<ReloadResult> {
    const next = this.#last.then(() => this.#reload(trigger, request));
    this.#last = next;
    return next;
  }

  /** Reads the configuration as a reload would. @throws ConfigError */
  async read(): Promise<LoadedSource> {
    const { env, cwd, loaded, readLocal = () => readConfig({ env, cwd }) } = this.#options;
    if (loaded.config.config.source === 'redis') {
      const stored = await this.store.read();
      if (stored) return loadStored({ env, cwd }, stored);
      return this.#loaded;
    }
    const local = await readLocal();
    if (local.config.file === undefined && this.#running.file !== undefined) throw missingFile(this.#running.file);
    return { ...local, source: 'file', stamp: undefined };
  }

  /** Compares a text with the configuration in force, without applying it. @throws ConfigError */
  async preview(text: string): Promise<Omit<ReloadResult, 'result' | 'issues'>> {
    const { env, cwd, secret } = this.#options;
    const loaded = await readConfig({ env, cwd, document: { name: 'text', text } });
    const { applicable, changes, restart } = this.#compare({ ...loaded, source: 'redis', stamp: undefined });
    return { version: configVersion(applicable, secret), changes, restart };
  }

  /** Removes the process from the list and stops watching. */
  async close(): Promise<void> {
    for (const part of this.#parts) part.close();
    await this.#last;
    await this.store.remove(this.#state.id).catch(() => undefined);
  }

  async #reload(trigger: string, request = this.#state.request): Promise<ReloadResult> {
    const { logger, metrics } = this.#options;
    const outcome = await this.#tryReload(trigger).catch((error: unknown): Outcome => {
      if (error instanceof ConfigError) {
        logInvalid(logger, error, trigger);
        return { result: 'invalid', changes: [], issues: shownIssues(error) };
      }
      logger.error({ err: error, trigger }, 'configuration could not be applied; nothing has changed');
      return { result: 'failed', changes: [], issues: [] };
    });
    const { result, changes, issues, restart = this.#state.restart } = outcome;
    metrics?.configReloads.inc({ result });
    const since = result === 'applied' ? this.#now() : this.#state.since;
    this.#state = { ...this.#state, result, issues, restart, request, since };
    await this.store.publish(this.#state).catch(() => undefined); // Published again later.
    return { result, changes, issues, restart, version: this.#state.version };
  }

  async #tryReload(trigger: string): Promise<Outcome> {
    const { logger, secret } = this.#options;
    const loaded = await this.read();
    const difference = this.#compare(loaded);
    const { applicable, changes, restart } = difference;
    const version = configVersion(applicable, secret);
    const isEqual = version === this.#state.version && changes.length === 0;
    if (!isEqual) await this.#apply?.(difference, { trigger, from: this.#state.version, version });
    this.#loaded = loaded;
    this.#running = applicable;
    this.#state = { ...this.#state, version, source: loaded.source };
    this.#showVersion();
    await this.#keepCopy(loaded);
    if (!isEqual) {
      const paths = changes.map(({ path }) => path);
      const fields = { trigger, version, changes: paths.slice(0, MAX_LOGGED_CHANGES), count: paths.length };
      logger.info(fields, 'configuration reloaded');
    }
    if (restart.length > 0) logger.warn({ trigger, fields: restart }, 'changed fields apply after a restart');
    return { result: isEqual ? 'unchanged' : 'applied', changes, restart, issues: [] };
  }

  /** @throws ConfigError if the new values conflict with running ones that need a restart */
  #compare(loaded: LoadedSource): ConfigDifference {
    const difference = compareConfigs(this.#running, loaded.config);
    const issues = applicableIssues(difference.applicable, loaded.locate);
    if (issues.length > 0) throw new ConfigError(issues);
    return difference;
  }

  async #keepCopy(loaded: LoadedSource): Promise<void> {
    if (loaded.source !== 'redis') return;
    const stored = await this.store.read().catch(() => undefined);
    if (stored && stored.stamp === loaded.stamp) await keep(loaded, stored.text);
  }

  /** Applies a change that was made while the process started, which the watch does not report. Never rejects. */
  async #reloadIfChanged(): Promise<void> {
    const { loaded, secret } = this.#options;
    // A changed configuration in Redis has another stamp.
    if (loaded.config.config.source === 'redis') return;
    const difference = await this.read()
      .then((read) => this.#compare(read))
      .catch(() => undefined); // The reload reports the error.
    const isEqual = difference && configVersion(difference.applicable, secret) === this.#state.version;
    if (isEqual && difference.restart.length === 0) return;
    await this.reload('file');
  }

  /** Follows a configuration in Redis that was stored without a request (e.g. by a restore). */
  async #storedChanged(stamp: string): Promise<void> {
    if (this.#options.loaded.config.config.source !== 'redis' || stamp === this.#loaded.stamp) return;
    await this.reload('redis');
  }

  #showVersion(): void {
    const { metrics } = this.#options;
    metrics?.configVersion.reset();
    metrics?.configVersion.set({ version: this.#state.version }, 1);
  }
}

interface Outcome {
  result: ReloadOutcome;
  changes: ConfigChange[];
  issues: ShownIssue[];
  restart?: string[];
}

function missingFile(file: string): ConfigError {
  const remedy = 'restore it, or restart Sluice to run without a file';
  return new ConfigError([{ where: file, path: [], wrong: 'the file no longer exists', remedy }]);
}
