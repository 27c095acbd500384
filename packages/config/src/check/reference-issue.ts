import type { FieldPath } from '../issues/config-error.ts';

/** A problem that the schema cannot detect. */
export interface ReferenceIssue {
  path: FieldPath;
  wrong: string;
  remedy: string;
}
