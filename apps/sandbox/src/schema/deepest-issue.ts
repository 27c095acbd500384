import type { z } from 'zod';

type Issue = z.core.$ZodIssue;

export interface DeepIssue {
  issue: Issue;
  path: readonly PropertyKey[];
}

/** A type mismatch has less depth than other issues at the same path, because those are on the intended branch. */
function depth({ issue, path }: DeepIssue): number {
  if (issue.code === 'unrecognized_keys') return path.length + 1;
  return path.length + (issue.code === 'invalid_type' ? 0 : 0.5);
}

/** Treats the union branch with the deepest issue as the one that the client intended. */
export function deepestIssue(issue: Issue): DeepIssue {
  if (issue.code !== 'invalid_union' || issue.errors.length === 0) return { issue, path: issue.path };
  const branches = issue.errors.flatMap((branch) => branch.slice(0, 1)).map(deepestIssue);
  const best = branches.toSorted((one, other) => depth(other) - depth(one))[0];
  return best === undefined ? { issue, path: issue.path } : { issue: best.issue, path: [...issue.path, ...best.path] };
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, step) => (Object(at) as Record<PropertyKey, unknown>)[step], value);
}

export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : `${at > 0 ? '.' : ''}${String(step)}`))
    .join('');
}
