import type { LossReport, Tool, ToolCallBlock } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';
import { asString, parseObject } from '../json/values.ts';

/**
 * Parses arguments for protocols that require an object. Blank text becomes `{}`, and any other value becomes
 * `{"input": …}`.
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

/** Returns a function's arguments. A custom tool's text becomes `{"input": text}`, and blank text becomes `{}`. */
export function functionArguments({ kind, arguments: text }: ToolCallBlock): string {
  if (kind === 'custom') return JSON.stringify({ input: text });
  return text.trim() === '' ? '{}' : text;
}

/** Converts a custom tool to a function with one string parameter, for upstreams without custom tools. */
export function customAsFunction(tool: Tool): Tool {
  if (tool.kind !== 'custom') return tool;
  const { grammar, raw: _raw, ...rest } = tool;
  return {
    ...rest,
    kind: 'function',
    schema: {
      type: 'object',
      properties: { input: { type: 'string', description: grammarNote(grammar) } },
      required: ['input'],
      additionalProperties: false,
    },
  };
}

/** Returns the text for a custom tool that the model called as a function. */
export function customInput(text: string): string {
  // Some models return plain text instead of JSON.
  return asString(parseObject(text)?.['input']) ?? text;
}

function grammarNote(grammar: unknown): string | undefined {
  if (!isRecord(grammar) || grammar['type'] !== 'grammar') return undefined;
  const nested = isRecord(grammar['grammar']) ? grammar['grammar'] : grammar;
  return `Text that follows this ${String(nested['syntax'])} grammar:\n${String(nested['definition'])}`;
}
