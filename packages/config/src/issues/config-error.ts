export type FieldPath = readonly (string | number)[];

/** A problem of the configuration. It contains no value of a field, since that may be a secret. */
export interface ConfigIssue {
  /** `sluice.yaml:LINE:COL`, or the environment variable that the value came from. */
  where: string;
  /** Empty if no field can be named. */
  path: FieldPath;
  /** The problem, without a period, like `remedy`. */
  wrong: string;
  remedy: string;
}

/** Formats a path as `models[0].routes[1].upstream`. */
export function formatPath(path: FieldPath): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else text += text === '' ? step : `.${step}`;
  }
  return text;
}

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
