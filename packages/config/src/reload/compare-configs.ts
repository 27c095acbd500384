import { checkApplicable } from '../check/check-references.ts';
import type { ConfigIssue } from '../issues/config-error.ts';
import type { LoadedConfig } from '../load/load-config.ts';
import type { Config } from '../schema/schema.ts';
import { type ConfigChange, configChanges } from '../settings/redact-config.ts';
import { keepRestartFields, needsRestart } from './restart-fields.ts';

export interface ConfigDifference {
  /** The new configuration, with the running values of the fields that need a restart. */
  applicable: Config;
  /** The fields that a reload changes, without secrets. */
  changes: ConfigChange[];
  /** Names of the changed fields that apply only after a restart. */
  restart: string[];
  /** Names of the upstreams that are new, different, or removed. */
  upstreams: string[];
}

/** Facts about the file and paths, which are no fields of it. */
const NO_FIELDS: ReadonlySet<string> = new Set(['file', 'dataDir', 'contentDir']);

export function compareConfigs(running: Config, next: Config): ConfigDifference {
  const applicable = keepRestartFields(running, next);
  const all = configChanges(running, next).filter(({ path }) => !NO_FIELDS.has(path));
  const names = new Set([...Object.keys(running.upstreams), ...Object.keys(next.upstreams)]);
  return {
    applicable,
    changes: all.filter(({ path }) => !needsRestart(path)),
    restart: all.flatMap(({ path }) => (needsRestart(path) ? [path] : [])),
    upstreams: [...names].filter(
      (name) => JSON.stringify(running.upstreams[name]) !== JSON.stringify(next.upstreams[name]),
    ),
  };
}

/**
 * Finds conflicts between new values and running ones that need a restart.
 * @param locate returns the position of a field in the new configuration
 */
export function applicableIssues(applicable: Config, locate: LoadedConfig['locate']): ConfigIssue[] {
  return checkApplicable(applicable).map(({ path, wrong, remedy }) => ({
    where: locate(path, 'value'),
    path,
    wrong: `${wrong}, with the running values of the fields that need a restart`,
    remedy: `${remedy}, or restart Sluice`,
  }));
}
