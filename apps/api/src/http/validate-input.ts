import { GatewayError } from '@sluice/canonical';
import { toPlainText } from '@sluice/protocols';
import type { z } from 'zod';
import { printable } from './printable.ts';

/**
 * Validates an administrator's input.
 * @param what the name of the complete input, such as `body`, for errors that concern no single field
 * @throws GatewayError `invalid_request` with the path of the first invalid field, as `limits[rpm]`; never with the
 * value
 */
export function validateInput<T extends z.ZodType>(schema: T, input: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(input, { error: toPlainText });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const param = format(path);
  const wrong = unknown === undefined ? (issue?.message ?? 'is not valid') : 'is not a known field';
  if (param === undefined) throw new GatewayError('invalid_request', `The ${what} ${wrong}.`);
  throw new GatewayError('invalid_request', `${shown(param)} ${wrong}.`, { param });
}

/** Formats a path as form fields do: `a[b][0]`. */
function format([first, ...rest]: readonly PropertyKey[]): string | undefined {
  if (first === undefined) return undefined;
  return String(first) + rest.map((step) => `[${String(step)}]`).join('');
}

/** Known names are returned unchanged; client input is quoted. */
function shown(param: string): string {
  return /^[\w[\]]{1,80}$/.test(param) ? param : printable(param);
}
