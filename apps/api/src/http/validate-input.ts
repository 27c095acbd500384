import { GatewayError } from '@sluice/canonical';
import { toPlainText } from '@sluice/protocols';
import type { z } from 'zod';
import { printable } from './printable.ts';

/**
 * @param what the input's name, used in errors that concern no single field
 * @throws GatewayError `invalid_request`; the message does not contain the input
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

function format([first, ...rest]: readonly PropertyKey[]): string | undefined {
  if (first === undefined) return undefined;
  return String(first) + rest.map((step) => `[${String(step)}]`).join('');
}

function shown(param: string): string {
  return /^[\w[\]]{1,80}$/.test(param) ? param : printable(param);
}
