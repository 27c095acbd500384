import { isObject, parseJson } from '../schema/json.ts';
import type { ToolCall } from './completion.ts';

/** Returns the arguments as an object, or `{}` if they are not a JSON object. */
export function callArguments({ input }: ToolCall): object {
  const parsed = parseJson(input);
  return isObject(parsed) ? parsed : {};
}
