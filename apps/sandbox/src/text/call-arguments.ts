import type { ToolCall } from './completion.ts';

/** The arguments of a call as an object, for wires that carry no text there; what is no JSON object becomes `{}`. */
export function callArguments({ input }: ToolCall): object {
  try {
    const parsed: unknown = JSON.parse(input);
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : {};
  } catch {
    return {};
  }
}
