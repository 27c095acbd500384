import { GatewayError } from '@sluice/canonical';
import { toPlainText } from '@sluice/protocols';
import type { z } from 'zod';
import { printable } from './printable.ts';

/**
 * Checks what an administrator sent against a schema.
 * @param what the whole of it in words, such as `body`, for what concerns no single field
 * @throws GatewayError `invalid_request` with the path of the first field that is wrong, as `limits[rpm]`; never with
 *   the value
 */
export function validateInput<T extends z.ZodType>(schema: T, input: unknown, what: string): z.output<T> {
  const parsed = schema.safeParse(input, { error: toPlainText });
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  const path = [...(issue?.path ?? []), ...(unknown === undefined ? [] : [unknown])];
  const param = format(path);
  const wrong = unknown === undefined ? (issue?.message ?? 'is not valid') : 'is not known here';
  if (param === undefined) throw new GatewayError('invalid_request', `The ${what} ${wrong}.`);
  throw new GatewayError('invalid_request', `${shown(param)} ${wrong}.`, { param });
}

/** Spells a path as form fields do: `a[b][0]`. */
function format([first, ...rest]: readonly PropertyKey[]): string | undefined {
  if (first === undefined) return undefined;
  return String(first) + rest.map((step) => `[${String(step)}]`).join('');
}

/** A name of ours is told as it is; one that a client made up is quoted. */
function shown(param: string): string {
  return /^[\w[\]]{1,80}$/.test(param) ? param : printable(param);
}
