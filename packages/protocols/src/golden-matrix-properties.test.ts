import { type Choice, GatewayError, type StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goldenCases, readGolden } from '../test/golden/golden-files.ts';
import { asEvents, randomResponse } from '../test/random-responses.ts';
import { randomRequest } from '../test/random-params.ts';
import { TEST_TOKEN_CODEC, wrapTokens } from '../test/readable-tokens.ts';
import { orderError } from '../test/streams/stream-order.ts';
import { nextTurn } from '../test/next-turn.ts';
import {
  FULL_REQUESTS,
  CLIENT_MODEL,
  TEXT_PROTOCOLS,
  UPSTREAM_PROTOCOLS,
  createTarget,
  openExchange,
  sentText,
} from '../test/text-exchange.ts';
import { recordOf } from '../test/wire-reading.ts';
import { TOKEN_PREFIX } from './text/token-codec.ts';
import { createSseParser } from './stream/sse.ts';
import type { ResponseContext, TextProtocol, UpstreamProtocol } from './contracts/text-protocol.ts';

type Body = Record<string, unknown>;

const report = () => undefined;

/** The opaque tokens in the vendors' responses for the case `tools`. */
const TOKENS: Readonly<Record<string, string>> = {
  responses: '"ENC"',
  messages: '"SIG"',
  'generative-content': '"U0lH"',
  converse: '"SIG"',
};
const PAIRS = TEXT_PROTOCOLS.flatMap((client) => TEXT_PROTOCOLS.map((upstream) => ({ client, upstream })));
const TRANSLATED_PAIRS = PAIRS.filter(({ client, upstream }) => client !== upstream);
const TOKEN_PAIRS = TEXT_PROTOCOLS.flatMap((client) =>
  UPSTREAM_PROTOCOLS.filter(({ name }) => name !== client.name && name in TOKENS).map((upstream) => ({
    client,
    upstream,
  })),
);
const source = (protocol: UpstreamProtocol) => ({ target: createTarget(protocol.name), newId: ids() });

function ids(): (prefix: string) => string {
  let last = 0;
  return (prefix) => `${prefix}${++last}`;
}

/** Decodes a body and encodes it again for an upstream of the same protocol. */
function roundTrip(protocol: TextProtocol, body: Body): Body {
  const request = protocol.decodeRequest({
    body,
    model: CLIENT_MODEL,
    stream: false,
    tokenCodec: TEST_TOKEN_CODEC,
    report,
  });
  return protocol.encodeRequest(request, createTarget(protocol.name), report);
}

/** Returns the context for encoding a response in the upstream's own protocol. */
function vendor(protocol: TextProtocol): ResponseContext {
  const body = FULL_REQUESTS[protocol.name] ?? {};
  const request = protocol.decodeRequest({
    body,
    model: 'vendor-model',
    stream: true,
    tokenCodec: TEST_TOKEN_CODEC,
    report,
  });
  return { request, body, createdAt: 1, newId: ids(), tokenCodec: TEST_TOKEN_CODEC };
}

function streamOf(protocol: TextProtocol, events: readonly StreamEvent[]): Buffer {
  const encoder = protocol.encodeStream(vendor(protocol));
  return Buffer.from(events.map((event) => encoder.push(event)).join(''));
}

function eventsOf(protocol: UpstreamProtocol, stream: Uint8Array): StreamEvent[] {
  const parser = createSseParser();
  const decoder = protocol.decodeStream(source(protocol));
  const frames = [...parser.push(stream), ...parser.end()];
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

/** Translates an upstream's stream for a client, in chunks that end at the given positions. */
function translateChunks(
  client: TextProtocol,
  upstream: UpstreamProtocol,
  stream: Uint8Array,
  cuts: readonly number[],
): string {
  const target = createTarget(upstream.name);
  const writer = openExchange({
    client,
    upstream,
    target,
    body: FULL_REQUESTS[client.name] ?? {},
    stream: true,
  }).openWriter();
  const ends = [...new Set([...cuts, stream.length])].toSorted((a, b) => a - b);
  let text = '';
  let from = 0;
  for (const end of ends) {
    if (writer.progress.failed) break;
    text += writer.push(stream.subarray(from, end));
    from = end;
  }
  if (!writer.progress.failed) text += writer.end();
  const { failed, isReported } = writer.progress;
  return text + (failed && !isReported ? writer.fail(failed) : '');
}

/** Cases whose opaque tokens name an account. After another round trip, the tokens would belong to another client. */
const isIssued = (name: string) => name.startsWith('issued-');

const goldenStreams = goldenCases('streams').flatMap((name) =>
  UPSTREAM_PROTOCOLS.flatMap((protocol) => {
    const stream = readGolden('streams', name, `${protocol.name}.sse`);
    return stream === undefined ? [] : [{ name, protocol, stream: Buffer.from(stream) }];
  }),
);

describe.each(TEXT_PROTOCOLS)('$name', (protocol) => {
  it('encodes a request identically after decoding it', () => {
    fc.assert(
      fc.property(randomRequest(protocol.name), (request) => {
        const once = protocol.encodeRequest(request, createTarget(protocol.name), () => undefined);
        expect(roundTrip(protocol, { model: CLIENT_MODEL, ...once })).toEqual(once);
      }),
      { numRuns: 60 },
    );
  });

  it.each(
    goldenCases('requests').filter((name) => !isIssued(name) && readGolden('requests', name, `${protocol.name}.json`)),
  )('preserves the decoded contents of the request %s', (name) => {
    // The cast is safe because the golden file contains an object.
    const body = wrapTokens(JSON.parse(readGolden('requests', name, `${protocol.name}.json`) ?? '')) as Body;
    let once: Body;
    try {
      once = roundTrip(protocol, body);
    } catch (error) {
      expect(error).toBeInstanceOf(GatewayError);
      return;
    }
    expect(roundTrip(protocol, once)).toEqual(once);
  });

  it('decodes a response and its stream to the same result', () => {
    fc.assert(
      fc.property(randomResponse, fc.integer({ min: 1, max: 9 }), (response, chunkLength) => {
        const unsplit = protocol.decodeResponse(
          JSON.parse(JSON.stringify(protocol.encodeResponse(response, vendor(protocol)))),
          source(protocol),
        );
        const events = eventsOf(protocol, streamOf(protocol, asEvents(response, chunkLength)));
        expect(orderError(events)).toBeUndefined();
        expect(collected(events)).toEqual({ choices: unsplit.choices, usage: unsplit.usage });
      }),
      { numRuns: 60 },
    );
  });
});

/** Collects a stream's events into a response. */
function collected(events: readonly StreamEvent[]) {
  const ends = events.filter((event) => event.type === 'block-end');
  const usage = events.findLast((event) => event.type === 'usage')?.usage;
  const choices = events.flatMap((event) => {
    if (event.type !== 'finish') return [];
    const { type: _type, choice, ...finish } = event;
    return [{ content: ends.filter((end) => end.choice === choice).map(({ block }) => block), ...finish }];
  });
  return { choices, usage };
}

describe.each(goldenStreams)('stream $name of $protocol.name', ({ protocol, stream }) => {
  it('is decoded to events in order', () => {
    expect(orderError(eventsOf(protocol, stream))).toBeUndefined();
  });

  it('is decoded in order when truncated anywhere', () => {
    fc.assert(
      fc.property(fc.nat(stream.length), (length) => {
        const events = eventsOf(protocol, stream.subarray(0, length));
        expect(
          orderError(
            events.some(({ type }) => type === 'start') ? events : [{ type: 'start', id: '', model: '' }, ...events],
          ),
        ).toBeUndefined();
      }),
      { numRuns: 30 },
    );
  });

  it.each(TEXT_PROTOCOLS)('is translated identically for $name, independent of chunk boundaries', (client) => {
    const unsplit = translateChunks(client, protocol, stream, []);
    for (const length of [1, 3, 7]) {
      const cuts = Array.from({ length: Math.ceil(stream.length / length) }, (_, at) => at * length);
      expect(translateChunks(client, protocol, stream, cuts)).toBe(unsplit);
    }
  });
});

describe.each(PAIRS)('$upstream.name to $client.name', ({ client, upstream }) => {
  it('writes a random stream identically, independent of chunk boundaries', () => {
    fc.assert(
      fc.property(
        randomResponse,
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.nat(4_000), { maxLength: 12 }),
        (response, size, places) => {
          const stream = streamOf(upstream, asEvents(response, size));
          const cuts = places.filter((place) => place < stream.length);
          expect(translateChunks(client, upstream, stream, cuts)).toBe(translateChunks(client, upstream, stream, []));
        },
      ),
      { numRuns: 25 },
    );
  });
});

/**
 * Returns the blocks that a stream stores. For a chat client, only blocks that the client does not send back are
 * stored.
 */
function storedPart({ name }: TextProtocol, choices: Choice[] | undefined): Choice[] | undefined {
  if (name !== 'chat-completions') return choices;
  return choices?.map((choice) => ({
    ...choice,
    content: choice.content.filter(({ type }) => type === 'reasoning' || type === 'tool-call'),
  }));
}

describe.each(TRANSLATED_PAIRS)('$upstream.name translated for $client.name', ({ client, upstream }) => {
  it('returns the same generation for a response and for its stream', () => {
    fc.assert(
      fc.property(randomResponse, (response) => {
        const target = createTarget(upstream.name);
        const open = (stream: boolean) =>
          openExchange({ client, upstream, target, body: FULL_REQUESTS[client.name] ?? {}, stream });
        const written = JSON.stringify(upstream.encodeResponse(response, vendor(upstream)));
        const { generation } = open(false).readBuffered(Buffer.from(written));
        const writer = open(true).openWriter();
        writer.push(streamOf(upstream, asEvents(response, 5)));
        writer.end();
        expect(writer.progress.isFinished).toBe(true);
        expect(writer.generation?.().choices).toEqual(storedPart(client, generation?.choices));
        expect(writer.generation?.().usage).toEqual(generation?.usage);
      }),
      { numRuns: 25 },
    );
  });
});

describe.each(TOKEN_PAIRS)('opaque tokens of $upstream.name', ({ client, upstream }) => {
  it(`are preserved in a round trip through ${client.name}`, () => {
    const target = createTarget(upstream.name, upstream.name === 'responses' ? { model: 'gpt-5' } : {});
    const open = (body: Body) => openExchange({ client, upstream, target, body, stream: false });
    const response = Buffer.from(readGolden('responses', 'tools', `${upstream.name}.json`) ?? '');
    const decoded = open(FULL_REQUESTS[client.name] ?? {}).readBuffered(response).body;
    const sent = sentText(open(nextTurn(client, recordOf(JSON.parse(Buffer.from(decoded).toString())))));
    expect(sent).toContain(TOKENS[upstream.name]);
    expect(sent).not.toContain(TOKEN_PREFIX);
  });
});
