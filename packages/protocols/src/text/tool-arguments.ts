import type { LossReport, Tool, ToolCallBlock } from '@sluice/canonical';
import { isRecord } from '../json/is-record.ts';

/**
 * A call's arguments as an object, for protocols that carry objects. No text is `{}`; what is no JSON object is wrapped as
 * `{"input": …}`, so that nothing the model wrote is lost.
 */
export function argumentsObject(text: string, report?: LossReport): Record<string, unknown> {
  if (text.trim() === '') return {};
  let value: unknown = text;
  try {
    value = JSON.parse(text);
  } catch {
    // Broken JSON travels as text.
  }
  if (isRecord(value)) return value;
  report?.({ field: 'tool_calls.arguments', how: 'replaced' });
  return { input: value };
}

/** A call as one of a function: a custom tool's free text becomes `{"input": text}`, no text becomes `{}`. */
export function functionArguments({ kind, arguments: text }: ToolCallBlock): string {
  if (kind === 'custom') return JSON.stringify({ input: text });
  return text.trim() === '' ? '{}' : text;
}

/** A custom tool in the shape of a function with one text, for upstreams that know no custom tools. */
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

/** The free text of a custom tool's call that a model made as one of a function. */
export function customInput(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (isRecord(value) && typeof value['input'] === 'string') return value['input'];
  } catch {
    // The model wrote plain text: so much the better.
  }
  return text;
}

function grammarNote(grammar: unknown): string | undefined {
  if (!isRecord(grammar) || grammar['type'] !== 'grammar') return undefined;
  const nested = isRecord(grammar['grammar']) ? grammar['grammar'] : grammar;
  return `Text that follows this ${String(nested['syntax'])} grammar:\n${String(nested['definition'])}`;
}
