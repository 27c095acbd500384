import { type Effort, EFFORTS, isObject, type Tool } from '../protocols/text-protocol.ts';

/** The form of the chat, as text fields. */
export interface ChatOptions {
  system: string;
  stream: boolean;
  effort: Effort;
  maxTokens: string;
  temperature: string;
  usesTools: boolean;
  /** JSON of the tools. */
  tools: string;
}

const SAMPLE_TOOLS: readonly Tool[] = [
  {
    name: 'get_weather',
    description: 'Returns the current weather of a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

export const DEFAULT_OPTIONS: ChatOptions = {
  system: '',
  stream: true,
  effort: '',
  maxTokens: '',
  temperature: '',
  usesTools: false,
  tools: JSON.stringify(SAMPLE_TOOLS, undefined, 2),
};

export function effortOf(text: string): Effort {
  return EFFORTS.find((effort) => effort === text) ?? '';
}

/** @throws Error that names the field and the remedy */
export function parseTools({ usesTools, tools }: Pick<ChatOptions, 'usesTools' | 'tools'>): Tool[] {
  if (!usesTools) return [];
  let list: unknown;
  try {
    list = JSON.parse(tools);
  } catch {
    throw new Error('Tools must be JSON. Check quotes and commas.');
  }
  if (!Array.isArray(list)) throw new Error('Tools must be a list: [{ "name": …, "parameters": … }].');
  return list.map((tool: unknown) => {
    if (!isObject(tool) || typeof tool['name'] !== 'string') throw new Error('Each tool needs a name.');
    const { name, description, parameters } = tool;
    const read: Tool = { name };
    if (typeof description === 'string') read.description = description;
    if (isObject(parameters)) read.parameters = parameters;
    return read;
  });
}

/** Returns a number, or undefined for an empty field. @throws Error */
export function parseNumber(text: string, name: string): number | undefined {
  if (text.trim() === '') return undefined;
  const value = Number(text);
  if (Number.isFinite(value)) return value;
  throw new Error(`${name} must be a number.`);
}
