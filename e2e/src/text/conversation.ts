import { randomUUID } from 'node:crypto';
import type { Call, Outcome, ImageBlock, Reply, Schema, ToolOffer, Turn } from './text-client.ts';

/** A word that no other test sends, to find a request by at the sandbox. It counts as one token. */
export function uniqueWord(): string {
  return `w${randomUUID().slice(0, 8)}`;
}

/** A user's turn. */
export function user(text: string, image?: ImageBlock): Turn {
  return { from: 'user', text, ...(image && { image }) };
}

/** The model's turn, sent back as the SDK gave it. */
export function model(reply: Reply): Turn {
  return { from: 'model', reply };
}

/** Tool results for the calls of a reply, in order. */
export function tools(...outcomes: Outcome[]): Turn {
  return { from: 'tools', outcomes };
}

/** The call of a reply by the tool's name. @throws when the model did not call it exactly once */
export function callOf({ calls }: Reply, name: string): Call {
  const [call, ...others] = calls.filter((one) => one.name === name);
  if (!call || others.length > 0) throw new Error(`calls of ${name}: ${calls.length} in ${JSON.stringify(calls)}`);
  return call;
}

/** A schema of a closed object whose properties are all required. */
export function closedObject(properties: Record<string, unknown>): Schema {
  return { type: 'object', properties, required: Object.keys(properties), additionalProperties: false };
}

/** Two tools. */
export const TOOLS: ToolOffer[] = [
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
