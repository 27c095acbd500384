import { CREDENTIAL_FIELDS } from '@sluice/vendors';
import { isScalar, parseDocument } from 'yaml';
import { ConfigError, type ConfigIssue, type FieldPath } from '../issues/config-error.ts';
import { type Expansion, pathKey } from './expand-environment.ts';
import { explainIssue } from '../issues/explain-issue.ts';
import { type ConfigFile, ConfigSchema } from '../schema/schema.ts';

export type Locate = (path: FieldPath, part: 'key' | 'value') => string;

/** Returns the name of the upstream if `path` is one of its credentials or header values. */
export function credentialOwner(path: FieldPath): string | undefined {
  const [section, name, field] = path;
  if (section !== 'upstreams' || field === undefined) return undefined;
  const isCredential =
    path.length === 3
      ? isSecret(field)
      : (path.length === 4 && field === 'headers') ||
        identityOf(path) ||
        (pooledIndex(path) !== undefined && isSecret(path[4]));
  return isCredential ? String(name) : undefined;
}

/** Returns the path of the identity if `path` is one of its fields. */
function identityOf(path: FieldPath): FieldPath | undefined {
  const identity = path.slice(0, -1);
  const isOfUpstream = identity.length === 3 || pooledIndex(identity) !== undefined;
  return path[0] === 'upstreams' && identity.at(-1) === 'identity' && isOfUpstream ? identity : undefined;
}

function isSecret(step: unknown): boolean {
  return CREDENTIAL_FIELDS.some((one) => one === step);
}

/** Returns the index of the pool's credential if `path` is in it. */
export function pooledIndex(path: FieldPath): number | undefined {
  const [section, , list, index] = path;
  return section === 'upstreams' && list === 'credentials' && path.length >= 5 && typeof index === 'number'
    ? index
    : undefined;
}

/**
 * Parses expanded settings against the schema. Environment values are text. If the schema expects a number or a
 * boolean, the text is parsed as YAML.
 * @throws ConfigError with every issue, including unset and malformed references
 */
export function parseSettings(expansion: Expansion, locate: Locate): ConfigFile {
  const read = (path: FieldPath) => valueAt(expansion.value, path);
  const issues: ConfigIssue[] = [
    ...expansion.malformed.map((path): ConfigIssue => {
      const remedy = 'write ${NAME}, ${NAME:-default}, or ${file:PATH}, or $${ for a plain ${';
      return { where: locate(path, 'value'), path, wrong: 'has an invalid reference', remedy };
    }),
    ...expansion.refused.map((problem): ConfigIssue => ({ where: locate(problem.path, 'value'), ...problem })),
    ...expansion.unset
      .filter(({ path }) => credentialOwner(path) === undefined)
      .map(({ path, variable }): ConfigIssue => {
        const remedy = `set it, or add a default with \${${variable}:-default}`;
        return { where: locate(path, 'value'), path, wrong: `${variable} is not set`, remedy };
      }),
  ];
  // An identity with a variable that is not set disables its upstream or credential, so its other fields do not matter.
  for (const { path } of expansion.unset) {
    const identity = identityOf(path);
    if (identity) replaceAt(expansion.value, identity, undefined);
  }
  const result = parseOnce(expansion, read);
  if (result.success && issues.length === 0) return result.data;
  const { unset, malformed, refused } = expansion;
  const reported = new Set([...[...unset, ...refused].map(({ path }) => path), ...malformed].map(pathKey));
  for (const { path, part, wrong, remedy } of (result.error?.issues ?? []).flatMap((issue) =>
    explainIssue(issue, read),
  )) {
    if (reported.has(pathKey(path))) continue;
    const names = expansion.variables.get(pathKey(path));
    const where = locate(path, part);
    const source = names === undefined || where === names.join(', ') ? '' : ` (it comes from ${names.join(', ')})`;
    issues.push({ where, path, wrong: wrong + source, remedy });
  }
  throw new ConfigError(issues);
}

function parseOnce(expansion: Expansion, read: (path: FieldPath) => unknown) {
  const result = ConfigSchema.safeParse(expansion.value);
  let changed = false;
  for (const issue of result.error?.issues ?? []) {
    const path = issue.path.filter((step) => typeof step !== 'symbol');
    const text = read(path);
    const isTypeError = issue.code === 'invalid_type' || issue.code === 'invalid_union';
    if (!isTypeError || typeof text !== 'string' || !expansion.variables.has(pathKey(path))) continue;
    const { contents } = parseDocument(text);
    const scalar = isScalar(contents) ? contents.value : undefined;
    if (typeof scalar !== 'number' && typeof scalar !== 'boolean') continue;
    changed = replaceAt(expansion.value, path, scalar) || changed;
  }
  return changed ? ConfigSchema.safeParse(expansion.value) : result;
}

export function valueAt(value: unknown, path: FieldPath): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}

/** Sets the value at a path and creates missing sections. Returns false if a value on the path is not a section. */
export function replaceAt(value: unknown, path: FieldPath, next: unknown): boolean {
  const [step, ...rest] = path;
  if (step === undefined || typeof value !== 'object' || value === null) return false;
  if (rest.length === 0) return Reflect.set(value, step, next);
  if (!Object.hasOwn(value, step)) Reflect.set(value, step, {});
  return replaceAt(Reflect.get(value, step), rest, next);
}
