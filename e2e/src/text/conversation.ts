import { randomUUID } from 'node:crypto';
import type { Call, Outcome, ImageBlock, Reply, Schema, Tool, Turn } from './text-client.ts';

/** A word that identifies a request at the sandbox. It counts as one token. */
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

/** The call of a tool. @throws unless the reply calls the tool exactly once */
export function callOf({ calls }: Reply, name: string): Call {
  const [call, ...others] = calls.filter((one) => one.name === name);
  if (!call || others.length > 0) throw new Error(`calls of ${name}: ${calls.length} in ${JSON.stringify(calls)}`);
  return call;
}

/** All properties are required. */
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
