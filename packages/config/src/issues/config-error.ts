export type FieldPath = readonly (string | number)[];

/** A configuration problem. It never contains field values, because they may be secret. */
export interface ConfigIssue {
  /** `sluice.yaml:LINE:COL`, or the environment variable that set the value. */
  where: string;
  /** Empty if the problem is not about one field. */
  path: FieldPath;
  /** The problem, without a final period. `remedy` has no final period either. */
  wrong: string;
  remedy: string;
}

/** Formats a path (e.g. `models[0].routes[1].upstream`). */
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
  return `${where}${field === '' ? '' : ` ${field}`}: ${wrong}; ${remedy}${remedy.endsWith('?') ? '' : '.'}`;
}
