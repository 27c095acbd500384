import type { FieldPath } from '../issues/config-error.ts';
import { ConfigError, type ConfigIssue } from '../issues/config-error.ts';
import { isSecretField } from '../settings/secret-field.ts';
import { SourceSchema } from '../schema/source-schema.ts';
import type { References } from './expand-environment.ts';
import { valueAt } from './parse-settings.ts';
import { parseYamlSource, type YamlSource } from './yaml-source.ts';

/** A configuration that is not in a file, e.g. in Redis. */
export interface ConfigDocument {
  /** Precedes the line and column in error messages. */
  name: string;
  /** YAML, in the format of the file. */
  text: string;
}

/** Sections that belong to a process or a machine, and not to all processes. */
const LOCAL_SECTIONS: ReadonlySet<string> = new Set(['server', 'redis', 'config', 'content', 'ledger', 'console']);

interface MergedSource extends Pick<References, 'refuseVariable'> {
  source: YamlSource | undefined;
  /** The only folders from which the references are read. Undefined: all folders. */
  dirs?: readonly string[];
}

/**
 * Replaces sections of the file by those of the document. Admins write it over the network, so its references are
 * limited: only credentials can have them, and they cannot read the gateway's own secrets or any file.
 * @throws ConfigError
 */
export function withDocument(file: YamlSource | undefined, document: ConfigDocument | undefined): MergedSource {
  if (!document) return { source: file };
  const source = parseYamlSource(document.name, document.text);
  const value: unknown = source.value ?? {};
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const issue = { where: source.where([], 'value'), path: [], wrong: 'must be sections of fields' };
    throw new ConfigError([{ ...issue, remedy: 'write it like sluice.yaml' }]);
  }
  const local = Object.keys(value).filter((section) => LOCAL_SECTIONS.has(section));
  if (local.length > 0) throw new ConfigError(local.map((section) => localSection(source, section)));
  const isOwn = ([section = '']: FieldPath): boolean => Object.hasOwn(value, section);
  const dirs = SourceSchema.safeParse(valueAt(file?.value, ['config'])).data?.secret_dirs ?? [];
  return {
    source: {
      value: { ...(file?.value as object | null | undefined), ...value }, // The cast is safe because a spread accepts any value.
      where: (path, part) => (isOwn(path) ? source : (file ?? source)).where(path, part),
    },
    dirs,
    refuseVariable: (path, name) => (isOwn(path) ? refusedVariable(path, name) : undefined),
  };
}

function localSection({ where }: YamlSource, section: string): ConfigIssue {
  const wrong = 'cannot be shared, because each process reads it from its file';
  return { where: where([section], 'key'), path: [section], wrong, remedy: 'move it into sluice.yaml' };
}

function refusedVariable(path: FieldPath, name: string): { wrong: string; remedy: string } | undefined {
  if (!isSecretField(path)) {
    return { wrong: 'cannot have a reference in Redis, because it is no credential', remedy: 'write the value' };
  }
  if (!/^(?:SLUICE_|REDIS_URL$)/.test(name)) return undefined;
  return { wrong: `cannot refer to ${name} in Redis, which is a setting of Sluice`, remedy: 'use another variable' };
}
