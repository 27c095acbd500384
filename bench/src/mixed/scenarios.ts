import type { ContenderName, Route } from '../contenders/launches.ts';
import { EVENT_TEXT, EVENTS } from '../contenders/text-models.ts';
import type { Contender } from '../contenders/start-contender.ts';
import { chatBody, imageBody, messagesBody } from '../load/bodies.ts';
import type { Burst } from '../load/load-generator.ts';

export interface Scenario {
  name: string;
  title: string;
  /** A request, or 1,000 streamed events. */
  unit: 'request' | 'events';
  client: Route['client'];
  vendor: Route['vendor'];
  concurrency: number;
  image?: boolean;
  goals: Goal[];
}

/** A limit of one contender's cost: relative to a peer, or more than a peer in microseconds. */
export type Goal = { of: ContenderName; to: ContenderName } & ({ maxRatio: number } | { maxAddedUs: number });

const toFastify = (maxRatio: number): Goal => ({ of: 'sluice', to: 'fastify', maxRatio });
const toNode = (of: ContenderName): Goal => ({ of, to: 'node', maxRatio: 1.3 });

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'chat',
    title: 'chat relayed, 32 at once',
    unit: 'request',
    client: 'chat',
    vendor: 'chat',
    concurrency: 32,
    goals: [toFastify(1.3), { of: 'sluice-limits', to: 'sluice', maxAddedUs: 35 }],
  },
  {
    name: 'chat-to-messages',
    title: 'chat to messages, 32 at once',
    unit: 'request',
    client: 'chat',
    vendor: 'messages',
    concurrency: 32,
    goals: [toFastify(1.8)],
  },
  {
    name: 'messages-to-chat',
    title: 'messages to chat, 32 at once',
    unit: 'request',
    client: 'messages',
    vendor: 'chat',
    concurrency: 32,
    goals: [toFastify(1.8)],
  },
  {
    name: 'image',
    title: 'image of 1 MiB relayed, 8 at once',
    unit: 'request',
    client: 'chat',
    vendor: 'chat',
    concurrency: 8,
    image: true,
    goals: [toNode('sluice'), toNode('sluice-limits')],
  },
  {
    name: 'events',
    title: '1,000 streamed events relayed, 100 streams',
    unit: 'events',
    client: 'chat',
    vendor: 'chat',
    concurrency: 100,
    goals: [toFastify(1.1)],
  },
  {
    name: 'events-chat-to-messages',
    title: '1,000 streamed events, chat to messages',
    unit: 'events',
    client: 'chat',
    vendor: 'messages',
    concurrency: 100,
    goals: [toFastify(1)],
  },
  {
    name: 'events-messages-to-chat',
    title: '1,000 streamed events, messages to chat',
    unit: 'events',
    client: 'messages',
    vendor: 'chat',
    concurrency: 100,
    goals: [toFastify(1)],
  },
];

/** The length of bursts. The warm-up has shorter streams, and a quick run has shorter bursts of all kinds. */
const LENGTHS = {
  full: { ms: 3_000, path: 'long', rampMs: 1_000, streams: 1 },
  'warm-up': { ms: 3_000, path: 'paced', rampMs: 0, streams: 1 },
  quick: { ms: 300, path: 'brief', rampMs: 0, streams: 0.25 },
} as const;
export type BurstLength = keyof typeof LENGTHS;

/**
 * Returns the burst of a scenario for a contender, and the number of units of a complete response.
 * @returns undefined if the contender cannot serve the scenario
 */
export function burstOf(
  { client, vendor, unit, concurrency, image }: Scenario,
  contender: Pick<Contender, 'url' | 'targetOf'>,
  length: BurstLength,
): { burst: Burst; unitsPerResponse: number } | undefined {
  const { ms, rampMs, ...streamed } = LENGTHS[length];
  const path = unit === 'request' ? 'buffered' : streamed.path;
  const target = contender.targetOf({ client, vendor, path });
  if (!target) return undefined;
  const bodyOf = image === true ? imageBody : client === 'chat' ? chatBody : messagesBody;
  const body = { ...bodyOf(target.model), ...(unit === 'events' && { stream: true }) };
  const request = { url: contender.url + target.path, headers: target.headers, body: JSON.stringify(body) };
  if (unit === 'request') return { burst: { ...request, concurrency, ms }, unitsPerResponse: 1 };
  const streams = concurrency * streamed.streams;
  const events = { marker: EVENT_TEXT, count: EVENTS[path] };
  const burst = { ...request, concurrency: streams, count: streams, events, rampMs };
  return { burst, unitsPerResponse: events.count / 1_000 };
}
