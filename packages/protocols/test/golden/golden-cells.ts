import { GatewayError } from '@sluice/canonical';
import type { Exchange, TextProtocol, UpstreamProtocol } from '../../src/index.ts';
import { readGolden } from './golden-files.ts';
import { printJson } from '../print-json.ts';
import { showTokens, wrapTokens } from '../readable-tokens.ts';
import {
  FULL_REQUESTS,
  TEXT_PROTOCOLS,
  UPSTREAM_PROTOCOLS,
  createTarget,
  type TargetOptions,
  openExchange,
  sentText,
} from '../text-exchange.ts';

/** One generated golden file. */
export interface Cell {
  /** Path relative to its kind's folder (e.g. `plain/messages.to-responses.json`). */
  file: string;
  make: () => string;
}

type Kind = 'requests' | 'responses' | 'streams' | 'errors';
type Body = Record<string, unknown>;

/** The optional settings in a case's `case.json`. */
interface CaseNotes {
  /** Models and quirks by upstream protocol, instead of the defaults. */
  targets?: Record<string, TargetOptions>;
  framing?: 'json-array';
  /** Requests by client protocol, instead of the defaults. */
  requests?: Record<string, Body>;
}

/** Lists a case's cells: each hand-written file combined with each protocol at the other end. */
export function goldenCells(kind: Kind, name: string): Cell[] {
  // The cast is safe because the file is written by hand.
  const notes = JSON.parse(readGolden(kind, name, 'case.json') ?? '{}') as CaseNotes;
  const extension = kind === 'streams' ? 'sse' : 'json';
  const cellsOf = (from: string, to: string, make: (input: string) => string): Cell[] => {
    const input = readGolden(kind, name, `${from}.${extension}`);
    if (input === undefined) return [];
    return [{ file: `${name}/${from}.to-${to}.${extension}`, make: () => make(input) }];
  };
  if (kind === 'requests') {
    return TEXT_PROTOCOLS.flatMap((client) =>
      UPSTREAM_PROTOCOLS.flatMap((upstream) =>
        cellsOf(client.name, upstream.name, (input) => requestCell({ client, upstream, notes }, input)),
      ),
    );
  }
  const cell = { responses: responseCell, streams: streamCell, errors: errorCell }[kind];
  return UPSTREAM_PROTOCOLS.flatMap((upstream) =>
    TEXT_PROTOCOLS.flatMap((client) =>
      cellsOf(upstream.name, client.name, (input) => cell({ client, upstream, notes }, input)),
    ),
  );
}

interface Ends {
  client: TextProtocol;
  upstream: UpstreamProtocol;
  notes: CaseNotes;
}

/** Renders the upstream's body and the losses, or the client's error. */
function requestCell({ client, upstream, notes }: Ends, input: string): string {
  const body = wrapTokens(JSON.parse(input)) as Body; // The cast is safe because a request is an object.
  const target = createTarget(upstream.name, notes.targets?.[upstream.name]);
  return readableJson(
    orError(client, () => {
      const exchange = openExchange({ client, upstream, target, body, stream: false });
      const losses = exchange.losses.map(({ field, how }) => `${field} ${how}`);
      return { losses, body: JSON.parse(sentText(exchange)) as unknown };
    }),
  );
}

/** Renders a vendor's buffered response for the client. */
function responseCell(ends: Ends, input: string): string {
  return readableJson(
    orError(ends.client, () => {
      const response = exchangeFor(ends, false).readBuffered(Buffer.from(input));
      return JSON.parse(Buffer.from(response.body).toString()) as unknown;
    }),
  );
}

/** Renders a vendor's stream for the client, including any final error. */
function streamCell(ends: Ends, input: string): string {
  const writer = exchangeFor(ends, true).openWriter();
  const text = writer.push(Buffer.from(input)) + (writer.progress.failed ? '' : writer.end());
  const { failed, isReported } = writer.progress;
  const failure = failed && !isReported ? writer.fail(failed) : '';
  return showTokens(Buffer.from(text + failure, writer.encoding).toString());
}

/** Renders a vendor's error for the client. */
function errorCell({ client, upstream }: Ends, input: string): string {
  // The cast is safe because the file is written by hand.
  const {
    status,
    headers = {},
    body,
  } = JSON.parse(input) as { status: number; headers?: Record<string, string>; body: unknown };
  const error = upstream.decodeError({ status, headers, body });
  return readableJson({
    status: error.status,
    retryable: error.retryable,
    ...(error.retryAfterMs !== undefined && { retryAfterMs: error.retryAfterMs }),
    body: client.encodeError(error),
  });
}

function exchangeFor({ client, upstream, notes }: Ends, stream: boolean): Exchange {
  // The cast is safe because both possible values are objects.
  const body = wrapTokens(notes.requests?.[client.name] ?? FULL_REQUESTS[client.name]) as Body;
  const target = createTarget(upstream.name, notes.targets?.[upstream.name] ?? REASONING_TARGETS[upstream.name]);
  return openExchange({ client, upstream, target, body, stream, ...(notes.framing && { framing: notes.framing }) });
}

/** Reasoning models, for protocols whose default model does not reason. */
const REASONING_TARGETS: Readonly<Record<string, TargetOptions>> = {
  'chat-completions': { model: 'deepseek-reasoner' },
  responses: { model: 'gpt-5' },
};

function orError(client: TextProtocol, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    return { status: error.status, body: client.encodeError(error) };
  }
}

function readableJson(value: unknown): string {
  return printJson(JSON.parse(showTokens(JSON.stringify(value))));
}
