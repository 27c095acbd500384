import { GatewayError } from '@sluice/canonical';
import type { Exchange, TextProtocol } from '../../src/index.ts';
import { readGolden } from './golden-files.ts';
import { printJson } from '../print-json.ts';
import { showTokens, wrapTokens } from '../readable-tokens.ts';
import { LANES, laneTarget, type LaneTarget, openLane, sentText } from '../text-lanes.ts';

/** One file of the matrix. */
export interface Cell {
  /** Relative to the folder of its kind: `plain/messages.to-responses.json`. */
  file: string;
  make: () => string;
}

type Kind = 'requests' | 'answers' | 'streams' | 'refusals';
type Body = Record<string, unknown>;

/** `case.json` of a case; every member is optional. */
interface CaseNotes {
  /** Models and quirks by upstream, instead of the defaults. */
  targets?: Record<string, LaneTarget>;
  framing?: 'json-array';
  /** The client's request by client protocol, instead of the default. */
  asks?: Record<string, Body>;
}

/** The cells of a case: its hand-written files times the four protocols at the other end. */
export function goldenCells(kind: Kind, name: string): Cell[] {
  const notes = JSON.parse(readGolden(kind, name, 'case.json') ?? '{}') as CaseNotes; // written by hand
  const extension = kind === 'streams' ? 'sse' : 'json';
  return LANES.flatMap((from) => {
    const input = readGolden(kind, name, `${from.name}.${extension}`);
    if (input === undefined) return [];
    return LANES.map((to): Cell => ({
      file: `${name}/${from.name}.to-${to.name}.${extension}`,
      make: () => {
        switch (kind) {
          case 'requests':
            return requestCell({ client: from, upstream: to, notes }, input);
          case 'answers':
            return responseCell({ client: to, upstream: from, notes }, input);
          case 'streams':
            return streamCell({ client: to, upstream: from, notes }, input);
          case 'refusals':
            return refusalCell({ client: to, upstream: from, notes }, input);
        }
      },
    }));
  });
}

interface Ends {
  client: TextProtocol;
  upstream: TextProtocol;
  notes: CaseNotes;
}

/** The upstream's body and the losses, or the client's error. */
function requestCell({ client, upstream, notes }: Ends, input: string): string {
  const body = wrapTokens(JSON.parse(input)) as Body; // a request is an object
  const target = laneTarget(upstream.name, notes.targets?.[upstream.name]);
  return readableJson(
    orRefused(client, () => {
      const exchange = openLane({ client, upstream, target, body, stream: false });
      const losses = exchange.losses.map(({ field, how }) => `${field} ${how}`);
      return { losses, body: JSON.parse(sentText(exchange)) as unknown };
    }),
  );
}

/** A vendor's buffered response for the client. */
function responseCell(ends: Ends, input: string): string {
  return readableJson(
    orRefused(ends.client, () => {
      const response = askedExchange(ends, false).readBuffered(Buffer.from(input));
      return JSON.parse(Buffer.from(response.body).toString()) as unknown;
    }),
  );
}

/** A vendor's stream for the client, with the error at its end if there is one. */
function streamCell(ends: Ends, input: string): string {
  const writer = askedExchange(ends, true).openWriter();
  const text = writer.push(Buffer.from(input)) + (writer.progress.failed ? '' : writer.end());
  const { failed, isReported } = writer.progress;
  const failure = failed && !isReported ? writer.fail(failed) : '';
  return showTokens(Buffer.from(text + failure, writer.encoding).toString());
}

/** A vendor's error for the client, without the vendor's message. */
function refusalCell({ client, upstream }: Ends, input: string): string {
  const {
    status,
    headers = {},
    body,
  } = JSON.parse(input) as { status: number; headers?: Record<string, string>; body: unknown }; // written by hand
  const error = upstream.decodeError({ status, headers, body });
  return readableJson({
    status: error.status,
    retryable: error.retryable,
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: client.encodeError(error),
  });
}

function askedExchange({ client, upstream, notes }: Ends, stream: boolean): Exchange {
  const body = wrapTokens(notes.asks?.[client.name] ?? DEFAULT_BODIES[client.name]) as Body; // both are objects
  const target = laneTarget(upstream.name, notes.targets?.[upstream.name] ?? THINKERS[upstream.name]);
  return openLane({ client, upstream, target, body, stream, ...(notes.framing && { framing: notes.framing }) });
}

/** Requests for everything that a response can contain: reasoning, and usage at the end of a stream. */
const DEFAULT_BODIES: Readonly<Record<string, Body>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
  responses: { input: 'Hi', reasoning: { summary: 'auto' } },
  messages: { max_tokens: 4096, thinking: { type: 'adaptive' }, messages: [{ role: 'user', content: 'Hi' }] },
  'generative-content': {
    contents: [{ parts: [{ text: 'Hi' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
};

/** The origins of the opaque tokens in the cases' responses. */
const THINKERS: Readonly<Record<string, LaneTarget>> = {
  'chat-completions': { model: 'deepseek-reasoner' },
  responses: { model: 'gpt-5' },
};

function orRefused(client: TextProtocol, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { refused: error.status, body: client.encodeError(error) };
  }
}

function readableJson(value: unknown): string {
  return printJson(JSON.parse(showTokens(JSON.stringify(value))));
}
