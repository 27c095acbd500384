/** Steps from the top of the configuration to one of its fields. */
export type FieldPath = readonly (string | number)[];

/** One thing that is wrong with the configuration. Holds no value of a field, since that may be a secret. */
export interface ConfigIssue {
  /** `sluice.yaml:LINE:COL`, or the environment variable that the value came from. */
  where: string;
  /** The field, empty where none can be named. */
  path: FieldPath;
  /** What is wrong, without a full stop. */
  wrong: string;
  /** What to do about it, without a full stop. */
  remedy: string;
}

/** Spells a path as people write it: `models[0].routes[1].upstream`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

/** The configuration cannot be used. The message has one line for each issue and can be shown as it is. */
export class ConfigError extends Error {
  readonly issues: readonly ConfigIssue[];

  constructor(issues: readonly ConfigIssue[]) {
    super(issues.map(formatIssue).join('\n'));
    this.name = 'ConfigError';
    this.issues = issues;
  }
}

function formatIssue({ where, path, wrong, remedy }: ConfigIssue): string {
  const field = formatPath(path);
  return `${where}${field === '' ? '' : ` ${field}`}: ${wrong}; ${remedy}`;
}
