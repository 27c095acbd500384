import { createHash } from 'node:crypto';

const PREFIX = 'console:';
/** The owner of what an admin with the admin key creates in the console. */
const CONSOLE_OWNER = `${PREFIX}admin`;
const MAX_NAME_LENGTH = 100;
const HASH_LENGTH = 8;

/**
 * Returns the owner of what a person creates in the console: `console:admin` for the admin key, and
 * `console:NAME:HASH` for a user of single sign-on. The name is for people. The hash is of the subject, because an
 * e-mail address can later belong to another person.
 */
export function consoleOwner({ name, subject }: { name: string; subject?: string | undefined }): string {
  if (subject === undefined) return CONSOLE_OWNER;
  const shown = name.replaceAll(/[^\w.@+-]+/g, '-').slice(0, MAX_NAME_LENGTH);
  return `${PREFIX}${shown}:${createHash('sha256').update(subject).digest('hex').slice(0, HASH_LENGTH)}`;
}

/** Whether a name is a result of `consoleOwner`. */
export function isConsoleOwner(name: string): boolean {
  return name.startsWith(PREFIX);
}
