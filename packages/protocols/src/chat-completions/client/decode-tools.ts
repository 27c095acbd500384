import type { CacheBreakpoint, Tool, ToolChoice } from '@sluice/canonical';
import { invalidField, JsonField } from '../../json/json-field.ts';
import { asNonEmptyString, asObject, isSet } from '../../json/values.ts';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import type { ChatCompletionBody } from '../wire/schema.ts';

/** Decodes `tools` and the legacy `functions`. If two tools have the same name, the last one wins. */
export function decodeTools({ tools, functions }: ChatCompletionBody): Tool[] {
  const decoded = [
    ...new JsonField(tools, 'tools').optionalItems().map(decodeTool),
    ...new JsonField(functions, 'functions').optionalItems().map(decodeFunction),
  ];
  return [...new Map(decoded.map((tool) => [tool.name, tool])).values()];
}

function decodeTool(tool: JsonField): Tool {
  const type = tool.get('type');
  if ((type.value ?? 'function') === 'function') {
    return { ...decodeFunction(tool.get('function')), cache: cacheOf(tool) };
  }
  if (type.value === 'custom') {
    const custom = tool.get('custom');
    return {
      kind: 'custom',
      ...toolName(custom.get('name').requireNonEmptyString()),
      description: custom.get('description').nonEmptyString,
      grammar: custom.get('format').value ?? undefined,
    };
  }
  return { kind: 'hosted', name: type.requireNonEmptyString(), raw: tool.value };
}

function decodeFunction(tool: JsonField): Tool {
  const names = toolName(tool.get('name').requireNonEmptyString());
  const parameters = tool.get('parameters');
  const schema = asObject(parameters.value);
  if (parameters.isSet && !schema) throw parameters.invalid('must be a JSON Schema object');
  const strict = tool.get('strict').value;
  return {
    kind: 'function',
    ...names,
    description: tool.get('description').nonEmptyString,
    schema,
    strict: typeof strict === 'boolean' ? strict : undefined,
  };
}

function cacheOf(tool: JsonField): CacheBreakpoint | undefined {
  const mark = asObject(tool.get('cache_control').value);
  return mark && { ttl: asNonEmptyString(mark['ttl']) };
}

/** Decodes `tool_choice` and the legacy `function_call`. */
export function decodeToolChoice({
  tool_choice: choice,
  function_call: legacy,
}: ChatCompletionBody): ToolChoice | undefined {
  if (isSet(choice)) {
    return typeof choice === 'string'
      ? modeOf(choice, 'tool_choice')
      : decodeChoice(new JsonField(choice, 'tool_choice'));
  }
  if (!isSet(legacy)) return undefined;
  if (typeof legacy === 'string') return modeOf(legacy, 'function_call');
  return { type: 'tool', name: nameIn(new JsonField(legacy, 'function_call')) };
}

function modeOf(mode: string, path: string): ToolChoice {
  if (mode === 'auto' || mode === 'none' || mode === 'required') return { type: mode };
  // Mistral and older servers send `any`.
  if (mode === 'any') return { type: 'required' };
  throw invalidField(path, 'must be none, auto, required, or an object');
}

function decodeChoice(choice: JsonField): ToolChoice {
  const type = choice.get('type');
  switch (type.value) {
    case 'function':
    case 'custom':
      return { type: 'tool', name: nameIn(choice.get(type.value)) };
    case 'allowed_tools': {
      const allowed = choice.get('allowed_tools');
      const mode = allowed.get('mode').value === 'required' ? 'required' : 'auto';
      return { type: 'allowed', mode, names: allowed.get('tools').optionalItems().map(allowedName) };
    }
    default:
      return { type: 'tool', name: type.requireNonEmptyString() };
  }
}

function allowedName(tool: JsonField): string {
  const type = tool.get('type');
  const kind = type.value ?? 'function';
  return kind === 'function' || kind === 'custom' ? nameIn(tool.get(kind)) : type.requireNonEmptyString();
}

function nameIn(holder: JsonField): string {
  return flatToolName(holder.get('name').requireNonEmptyString());
}
