import { randomUUID } from 'node:crypto';
import type { Call, Outcome, ImageBlock, Reply, Schema, Tool, Turn } from './clients/text-client.ts';

/** Returns a word that identifies a request in the sandbox's log. It is one token. */
export function uniqueWord(): string {
  return `w${randomUUID().slice(0, 8)}`;
}

export function userTurn(text: string, image?: ImageBlock): Turn {
  return { from: 'user', text, ...(image && { image }) };
}

export function modelTurn(reply: Reply): Turn {
  return { from: 'model', reply };
}

export function toolTurn(...outcomes: Outcome[]): Turn {
  return { from: 'tools', outcomes };
}

/** Returns the reply's only call of a tool. @throws unless there is exactly one */
export function callOf({ calls }: Reply, name: string): Call {
  const [call, ...others] = calls.filter((one) => one.name === name);
  if (!call || others.length > 0) throw new Error(`calls of ${name}: ${calls.length} in ${JSON.stringify(calls)}`);
  return call;
}

/** Creates a schema in which all properties are required and no others are allowed. */
export function closedObject(properties: Record<string, unknown>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

export const TOOLS: Tool[] = [
  {
    name: 'get_weather',
    description: 'Returns the weather of a city.',
    schema: closedObject({ city: { type: 'string' }, days: { type: 'integer', minimum: 3 } }),
  },
  {
    name: 'show_map',
    description: 'Draws a map of a city.',
    schema: closedObject({ city: { type: 'string' } }),
  },
];
