import { type Choice, GatewayError, type StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { goldenCases, readGolden } from '../test/golden/golden-files.ts';
import { asEvents, randomResponse } from '../test/random-responses.ts';
import { randomRequest } from '../test/random-params.ts';
import { TEST_TOKEN_CODEC, wrapTokens } from '../test/readable-tokens.ts';
import { orderError } from '../test/streams/stream-order.ts';
import { nextTurn } from '../test/next-turn.ts';
import { CLIENT_MODEL, LANES, laneTarget, openLane, sentText } from '../test/text-lanes.ts';
import { recordOf } from '../test/wire-reading.ts';
import { TOKEN_PREFIX } from './text/token-codec.ts';
import { createSseParser } from './stream/sse.ts';
import type { ResponseContext, TextProtocol } from './contracts/text-protocol.ts';

type Body = Record<string, unknown>;

const report = () => undefined;

const PAIRS = LANES.flatMap((client) => LANES.map((upstream) => ({ client, upstream })));
const CROSSED = PAIRS.filter(({ client, upstream }) => client !== upstream);
const BODIES: Readonly<Record<string, Body>> = {
  'chat-completions': { messages: [{ role: 'user', content: 'Hi' }], stream_options: { include_usage: true } },
  responses: { input: 'Hi', reasoning: { summary: 'auto' } },
  messages: { max_tokens: 4096, thinking: { type: 'adaptive' }, messages: [{ role: 'user', content: 'Hi' }] },
  'generative-content': {
    contents: [{ parts: [{ text: 'Hi' }] }],
    generationConfig: { thinkingConfig: { includeThoughts: true } },
  },
};
/** The opaque tokens in the vendors' responses of the case `tools`. */
const TOKENS: Readonly<Record<string, string>> = {
  responses: '"ENC"',
  messages: '"SIG"',
  'generative-content': '"U0lH"',
};
const source = (protocol: TextProtocol) => ({ target: laneTarget(protocol.name), newId: ids() });

function ids(): (prefix: string) => string {
  let last = 0;
  return (prefix) => `${prefix}${++last}`;
}

/** Decodes a body of a protocol and encodes it for an upstream of the same one. */
function roundTrip(protocol: TextProtocol, body: Body): Body {
  const request = protocol.decodeRequest({
    body,
    model: CLIENT_MODEL,
    stream: false,
    tokenCodec: TEST_TOKEN_CODEC,
    report,
  });
  return protocol.encodeRequest(request, laneTarget(protocol.name), report);
}

/** The context of an upstream's response, encoded by the client side of the same protocol. */
function vendor(protocol: TextProtocol): ResponseContext {
  const body = BODIES[protocol.name] ?? {};
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

function eventsOf(protocol: TextProtocol, stream: Uint8Array): StreamEvent[] {
  const parser = createSseParser();
  const decoder = protocol.decodeStream(source(protocol));
  const frames = [...parser.push(stream), ...parser.end()];
  return [...frames.flatMap((frame) => decoder.push(frame)), ...decoder.end()];
}

/** Sends a stream from an upstream to a client, in chunks that end at these positions. */
function carry(client: TextProtocol, upstream: TextProtocol, stream: Uint8Array, cuts: readonly number[]): string {
  const target = laneTarget(upstream.name);
  const writer = openLane({ client, upstream, target, body: BODIES[client.name] ?? {}, stream: true }).openWriter();
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

/** Requests whose opaque tokens include the account: decoded again, they belong to another client. */
const isIssued = (name: string) => name.startsWith('issued-');

const goldenStreams = goldenCases('streams').flatMap((name) =>
  LANES.flatMap((protocol) => {
    const stream = readGolden('streams', name, `${protocol.name}.sse`);
    return stream === undefined ? [] : [{ name, protocol, stream: Buffer.from(stream) }];
  }),
);

describe.each(LANES)('$name', (protocol) => {
  it('encodes a request identically after decoding it', () => {
    fc.assert(
      fc.property(randomRequest(protocol.name), (request) => {
        const once = protocol.encodeRequest(request, laneTarget(protocol.name), () => undefined);
        expect(roundTrip(protocol, { model: CLIENT_MODEL, ...once })).toEqual(once);
      }),
      { numRuns: 60 },
    );
  });

  it.each(
    goldenCases('requests').filter((name) => !isIssued(name) && readGolden('requests', name, `${protocol.name}.json`)),
  )('preserves the decoded contents of the request %s', (name) => {
    const body = wrapTokens(JSON.parse(readGolden('requests', name, `${protocol.name}.json`) ?? '')) as Body; // an object
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

  it.each(LANES)('is translated identically for $name, independent of chunk boundaries', (client) => {
    const unsplit = carry(client, protocol, stream, []);
    for (const length of [1, 3, 7]) {
      const cuts = Array.from({ length: Math.ceil(stream.length / length) }, (_, at) => at * length);
      expect(carry(client, protocol, stream, cuts)).toBe(unsplit);
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
          expect(carry(client, upstream, stream, cuts)).toBe(carry(client, upstream, stream, []));
        },
      ),
      { numRuns: 25 },
    );
  });
});

/** A chat client's stream stores only the parts that the client does not send back. */
function keptOf({ name }: TextProtocol, choices: Choice[] | undefined): Choice[] | undefined {
  if (name !== 'chat-completions') return choices;
  return choices?.map((choice) => ({
    ...choice,
    content: choice.content.filter(({ type }) => type === 'reasoning' || type === 'tool-call'),
  }));
}

describe.each(CROSSED)('$upstream.name translated for $client.name', ({ client, upstream }) => {
  it('returns the same generation for a response and for its stream', () => {
    fc.assert(
      fc.property(randomResponse, (response) => {
        const target = laneTarget(upstream.name);
        const open = (stream: boolean) =>
          openLane({ client, upstream, target, body: BODIES[client.name] ?? {}, stream });
        const written = JSON.stringify(upstream.encodeResponse(response, vendor(upstream)));
        const { generation } = open(false).readBuffered(Buffer.from(written));
        const writer = open(true).openWriter();
        writer.push(streamOf(upstream, asEvents(response, 5)));
        writer.end();
        expect(writer.progress.isFinished).toBe(true);
        expect(writer.generation?.().choices).toEqual(keptOf(client, generation?.choices));
        expect(writer.generation?.().usage).toEqual(generation?.usage);
      }),
      { numRuns: 25 },
    );
  });
});

describe.each(CROSSED.filter(({ upstream }) => upstream.name in TOKENS))(
  'opaque tokens of $upstream.name',
  ({ client, upstream }) => {
    it(`make the round trip through ${client.name}`, () => {
      const target = laneTarget(upstream.name, upstream.name === 'responses' ? { model: 'gpt-5' } : {});
      const open = (body: Body) => openLane({ client, upstream, target, body, stream: false });
      const response = Buffer.from(readGolden('answers', 'tools', `${upstream.name}.json`) ?? '');
      const decoded = open(BODIES[client.name] ?? {}).readBuffered(response).body;
      const sent = sentText(open(nextTurn(client, recordOf(JSON.parse(Buffer.from(decoded).toString())))));
      expect(sent).toContain(TOKENS[upstream.name]);
      expect(sent).not.toContain(TOKEN_PREFIX);
    });
  },
);
