import { GatewayError } from '@sluice/canonical';
import type { z } from 'zod';

/** @throws GatewayError `invalid_request` that names the parameter and what is wrong with it */
export function parseFields<T extends z.ZodObject>(schema: T, fields: object): z.output<T> {
  const blank = Object.entries(fields).find(([, value]) => value === '')?.[0];
  if (blank !== undefined) throw invalidParam(blank, 'must not be empty');
  const parsed = schema.safeParse(fields);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const unknown = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (unknown !== undefined) throw invalidParam(unknown, 'is not a known parameter');
  throw invalidParam(String(issue?.path[0] ?? 'query'), issue?.message ?? 'is not valid');
}

/** @param problem follows the name of the parameter */
export function invalidParam(param: string, problem: string): GatewayError {
  const shown = /^\w{1,80}$/.test(param) ? param : 'A parameter';
  return new GatewayError('invalid_request', `${shown} ${problem}.`, { param });
}
