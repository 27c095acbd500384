import type { Tool, ToolChoice } from '@sluice/canonical';
import { flatToolName, toolName } from '../../text/tool-names.ts';
import { isRecord } from '../../json/is-record.ts';
import { invalidField, optionalList, requireName, requireObject } from '../wire/invalid-field.ts';
import { isGiven, textOf, type JsonObject } from '../wire/json.ts';
import type { ChatCompletionBody } from '../wire/schema.ts';

/**
 * Reads `tools`, and `functions` as they were called before. Of tools with one name the last counts.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeTools({ tools, functions }: ChatCompletionBody): Tool[] {
  const decoded = [
    ...optionalList(tools, 'tools').map((tool, index) => decodeTool(tool, `tools[${index}]`)),
    ...optionalList(functions, 'functions').map((tool, index) =>
      decodeFunction(requireObject(tool, `functions[${index}]`), `functions[${index}]`),
    ),
  ];
  return [...new Map(decoded.map((tool) => [tool.name, tool])).values()];
}

function decodeTool(value: unknown, path: string): Tool {
  const tool = requireObject(value, path);
  const type = tool['type'] ?? 'function';
  if (type === 'function') {
    return {
      ...decodeFunction(requireObject(tool['function'], `${path}[function]`), `${path}[function]`),
      ...cacheOf(tool),
    };
  }
  if (type === 'custom') {
    const custom = requireObject(tool['custom'], `${path}[custom]`);
    return {
      kind: 'custom',
      ...toolName(requireName(custom['name'], `${path}[custom][name]`)),
      ...describe(custom),
      ...(isGiven(custom['format']) && { grammar: custom['format'] }),
    };
  }
  return { kind: 'hosted', name: requireName(type, `${path}[type]`), raw: tool };
}

function decodeFunction(tool: JsonObject, path: string): Tool {
  const schema = tool['parameters'];
  if (isGiven(schema) && !isRecord(schema)) throw invalidField(`${path}[parameters]`, 'must be a JSON Schema object');
  return {
    kind: 'function',
    ...toolName(requireName(tool['name'], `${path}[name]`)),
    ...describe(tool),
    ...(isGiven(schema) && { schema }),
    ...(typeof tool['strict'] === 'boolean' && { strict: tool['strict'] }),
  };
}

function describe(tool: JsonObject): Pick<Tool, 'description'> {
  const description = textOf(tool['description']);
  return description === undefined ? {} : { description };
}

function cacheOf(tool: JsonObject): Pick<Tool, 'cache'> {
  const mark = tool['cache_control'];
  if (!isRecord(mark)) return {};
  const ttl = textOf(mark['ttl']);
  return { cache: ttl === undefined ? {} : { ttl } };
}

/**
 * Reads `tool_choice`, and `function_call` as it was called before.
 * @throws GatewayError `invalid_request` naming the field
 */
export function decodeToolChoice({
  tool_choice: choice,
  function_call: legacy,
}: ChatCompletionBody): ToolChoice | undefined {
  if (isGiven(choice)) return typeof choice === 'string' ? modeOf(choice, 'tool_choice') : decodeChoice(choice);
  if (!isGiven(legacy)) return undefined;
  if (typeof legacy === 'string') return modeOf(legacy, 'function_call');
  return { type: 'tool', name: flatToolName(requireName(legacy['name'], 'function_call[name]')) };
}

function modeOf(word: string, param: string): ToolChoice {
  if (word === 'auto' || word === 'none' || word === 'required') return { type: word };
  // Older servers and Mistral say so.
  if (word === 'any') return { type: 'required' };
  throw invalidField(param, 'must be none, auto, required or an object');
}

function decodeChoice(choice: JsonObject): ToolChoice {
  switch (choice['type']) {
    case 'function':
      return { type: 'tool', name: chosenName(choice, 'function', 'tool_choice') };
    case 'custom':
      return { type: 'tool', name: chosenName(choice, 'custom', 'tool_choice') };
    case 'allowed_tools': {
      const allowed = requireObject(choice['allowed_tools'], 'tool_choice[allowed_tools]');
      const path = 'tool_choice[allowed_tools][tools]';
      const names = optionalList(allowed['tools'], path).map((value, index) => {
        const tool = requireObject(value, `${path}[${index}]`);
        const type = tool['type'] ?? 'function';
        if (type === 'function' || type === 'custom') return chosenName(tool, type, `${path}[${index}]`);
        return requireName(type, `${path}[${index}][type]`);
      });
      return { type: 'allowed', mode: allowed['mode'] === 'required' ? 'required' : 'auto', names };
    }
    default:
      return { type: 'tool', name: requireName(choice['type'], 'tool_choice[type]') };
  }
}

function chosenName(holder: JsonObject, type: 'function' | 'custom', path: string): string {
  const chosen = requireObject(holder[type], `${path}[${type}]`);
  return flatToolName(requireName(chosen['name'], `${path}[${type}][name]`));
}
