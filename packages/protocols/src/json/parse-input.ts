import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';
import { toPlainText } from './plain-text.ts';

/**
 * Stops at the first invalid element, because one issue per element could exhaust memory. Zod supports this option in
 * `safeParse` but omits it from its types.
 */
const CONTEXT: z.core.ParseContextInternal<z.core.$ZodIssue> = { abortEarly: true, error: toPlainText };

/**
 * Validates untrusted input. Validation of a list stops at the first element of a wrong type, but not at an element
 * that violates a rule such as `min`. A list with such rules needs a `max`, which zod checks first, or a rule with
 * `abort`.
 * @throws GatewayError `invalid_request` with the path of the first invalid field (e.g. `input_reference[file_id]`)
 */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const parsed = schema.safeParse(input, CONTEXT);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const param = fieldName(issue?.path ?? []);
  const what = issue?.message ?? 'is not valid';
  throw new GatewayError('invalid_request', param === undefined ? `The request ${what}.` : `${param} ${what}.`, {
    ...(param !== undefined && { param }),
  });
}

/** Formats a path as form fields do: `a[b][0]`. */
function fieldName(path: readonly PropertyKey[]): string | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return undefined;
  return String(first) + rest.map((step) => `[${String(step)}]`).join('');
}
