import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

/** What a schema complains of, and where in the whole body. */
export interface DeepIssue {
  issue: Issue;
  path: readonly PropertyKey[];
}

/** A complaint about more than the mere type tells that the branch was meant. */
function depth({ issue, path }: DeepIssue): number {
  if (issue.code === 'unrecognized_keys') return path.length + 1;
  return path.length + (issue.code === 'invalid_type' ? 0 : 0.5);
}

/** Of a union's branches, the complaint of the one that the value was meant for: it fails deepest. */
export function deepestIssue(issue: Issue): DeepIssue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path: issue.path };
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1)).map(deepestIssue);
  const best = branches.toSorted((one, other) => depth(other) - depth(one))[0];
  return best === undefined ? { issue, path: issue.path } : { issue: best.issue, path: [...issue.path, ...best.path] };
}

/** The value at a path; undefined where there is none. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (Object(at) as Record<PropertyKey, unknown>)[step], value); // any value may be read so
}
