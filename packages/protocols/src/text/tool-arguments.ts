import type { LossReport, Tool, ToolCallBlock } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/**
 * A call's arguments as an object, for protocols that require one. Blank text becomes `{}`; any other text becomes
 * `{"input": …}`, so that nothing is lost.
 */
export function argumentsObject(text: string, report?: LossReport): Record<string, unknown> {
  if (text.trim() === '') return {};
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Invalid JSON is kept as text.
  }
  if (isRecord(value)) return value;
  report?.({ field: 'tool_calls.arguments', how: 'replaced' });
  return { input: value };
}

/** The arguments of a call as a function's: a custom tool's text becomes `{"input": text}`, blank text becomes `{}`. */
export function functionArguments({ kind, arguments: text }: ToolCallBlock): string {
  if (kind === 'custom') return JSON.stringify({ input: text });
  return text.trim() === '' ? '{}' : text;
}

/** A custom tool as a function with one string parameter, for upstreams without custom tools. */
export function customAsFunction(tool: Tool): Tool {
  if (tool.kind !== 'custom') return tool;
  const { grammar, raw: _raw, ...rest } = tool;
  const note = grammarNote(grammar);
  return {
    ...rest,
    kind: 'function',
    schema: {
      type: 'object',
      properties: { input: { type: 'string', ...(note !== undefined && { description: note }) } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

/** The text of a custom tool's call that the model made as a function call. */
export function customInput(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value['input'] === 'string') return value['input'];
  } catch {
    // The model wrote plain text.
  }
  return text;
}

function grammarNote(grammar: unknown): string | undefined {
  if (!isRecord(grammar) || grammar['type'] !== 'grammar') return undefined;
  const nested = isRecord(grammar['grammar']) ? grammar['grammar'] : grammar;
  return `Text that follows this ${String(nested['syntax'])} grammar:\n${String(nested['definition'])}`;
}
