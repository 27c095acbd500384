import { execFileSync } from 'node:child_process';

const MAX_SUBJECT = 72;

export const longSubjects = (subjects) => subjects.filter((subject) => subject.length > MAX_SUBJECT);

/** Returns the subjects of the last 20 commits; empty without git or history, as in an exported archive. */
export function recentSubjects(root) {
  try {
    const args = ['log', '-20', '--no-merges', '--format=%s'];
    const log = execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    return log.split('\n').filter((subject) => subject !== '');
  } catch {
    return [];
  }
}
