import type { ToolCall } from './completion.ts';

/** The arguments as an object; `{}` if they are not a JSON object. */
export function callArguments({ input }: ToolCall): object {
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
