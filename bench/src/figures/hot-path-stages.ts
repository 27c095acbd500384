import type { CpuProfile } from '../subjects/usage-probe.ts';

const SERVER = 'sockets, HTTP parser, Fastify';
const PLAN = 'plan: routing, checks, and edits of the body';
const PROTOCOLS = 'protocols: translation';
const RESPONSE = 'response: headers and the write to the socket';

/** The stages of a request, in order. Work on sockets and promises without a caller in this table is in the first. */
const STAGES = [
  SERVER,
  'authentication',
  'body: read and check',
  PLAN,
  PROTOCOLS,
  'limits and budget',
  'upstream call',
  RESPONSE,
  'usage',
  'metrics',
  'usage ledger',
  'log line',
] as const;
type Stage = (typeof STAGES)[number];

const NO_STAGES = ['garbage collection', 'V8 and libuv outside of JavaScript'] as const;
export type Part = Stage | (typeof NO_STAGES)[number];
export const PARTS: readonly Part[] = [...STAGES, ...NO_STAGES];

/**
 * Assigns functions to stages by file. A sample belongs to the innermost function that a pattern matches, so shared code
 * (e.g. JSON) counts for its caller. Specific patterns are before general ones.
 */
const RULES: readonly [RegExp, Stage][] = [
  [/peers\/simple-translation/, PROTOCOLS],
  [/peers\/(bare-fastify|request-schemas)/, 'body: read and check'],
  [
    /node_modules\/(pino|sonic-boom|quick-format)|telemetry\/src\/(.*logger|.*log|redact)|request-log|logRequest/,
    'log line',
  ],
  [/node_modules\/(prom-client|tdigest)|telemetry\/src\/|observe-requests|count-client-request/, 'metrics'],
  [/api\/src\/ledger\//, 'usage ledger'],
  [
    /meter-text|meter-usage|metering\/(outcome-of|charge\.ts)|packages\/prices|record-usage|record-served|record-attempt/,
    'usage',
  ],
  [/api\/src\/auth\/|packages\/access\//, 'authentication'],
  [
    /content-type-parser|check-body|read-body|inflate-body|node_modules\/zod|text-request|packages\/protocols\/src\/json/,
    'body: read and check',
  ],
  [/metering\/|packages\/limits|node_modules\/ioredis|reserve-text/, 'limits and budget'],
  [/node_modules\/undici|packages\/upstreams|call-upstream/, 'upstream call'],
  [/fastify\/lib\/reply|served-headers|sendBuffered|send-stream|event-stream/, RESPONSE],
  [/packages\/protocols\/src\/(chat-completions|messages|exchange\/translate)/, PROTOCOLS],
  [/api\/src\/(routing|generation|text)\/|packages\/protocols/, PLAN],
  [/node_modules\/(fastify|@fastify|find-my-way)|apps\/api\/src\//, SERVER],
];

/** Functions of the benchmark, and time without work. */
const IGNORED = /\(idle\)|usage-probe|subjects\/requests/;
const NO_STAGE_FUNCTIONS: Record<string, Part> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'V8 and libuv outside of JavaScript',
};

interface Frame {
  partOf: Part | 'ignored' | undefined;
  parent: Frame | undefined;
}

/** Returns the time of each part, in microseconds. */
export function timeByPart({ nodes, samples = [], timeDeltas = [] }: CpuProfile): Map<Part, number> {
  const frames = new Map<number, Frame>();
  for (const { id, callFrame } of nodes)
    frames.set(id, { partOf: partOf(callFrame.functionName, callFrame.url), parent: undefined });
  for (const { id, children = [] } of nodes) {
    for (const child of children) {
      const frame = frames.get(child);
      if (frame) frame.parent = frames.get(id);
    }
  }
  const times = new Map<Part, number>();
  for (const [index, id] of samples.entries()) {
    let frame = frames.get(id);
    while (frame && !frame.partOf) frame = frame.parent;
    const part = frame?.partOf ?? SERVER;
    if (part !== 'ignored') times.set(part, (times.get(part) ?? 0) + (timeDeltas[index] ?? 0));
  }
  return times;
}

function partOf(functionName: string, url: string): Frame['partOf'] {
  const name = `${url} ${functionName}`;
  if (IGNORED.test(name)) return 'ignored';
  return NO_STAGE_FUNCTIONS[functionName] ?? RULES.find(([pattern]) => pattern.test(name))?.[1];
}
