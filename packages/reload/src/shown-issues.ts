import { type ConfigError, formatPath } from '@sluice/config';
import type { ShownIssue } from './config-store.ts';

/** Issues that are shown or stored. A file with more of them is not a configuration. */
const MAX_ISSUES = 50;

export function shownIssues({ issues }: Pick<ConfigError, 'issues'>): ShownIssue[] {
  return issues
    .slice(0, MAX_ISSUES)
    .map(({ where, path, wrong, remedy }) => ({ where, field: formatPath(path), wrong, remedy }));
}

export function issueLines({ message }: Pick<ConfigError, 'message'>): string[] {
  return message.split('\n').slice(0, MAX_ISSUES);
}
