import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GoogleGenAI } from '@google/genai';
import { GatewayError, type StreamEvent } from '@sluice/canonical';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ResponseContext } from '../../contracts/text-protocol.ts';
import { createTokenCodec } from '../../text/token-codec.ts';
import { createSseParser } from '../../stream/sse.ts';
import { decodeStream } from '../upstream/decode-stream.ts';
import { encodeStream } from './encode-stream.ts';

const context: ResponseContext = {
  request: {
    protocol: 'generative-content',
    model: 'my-model',
    stream: true,
    messages: [],
    tools: [],
    reasoning: { visible: 'summary' },
  },
  body: {},
  createdAt: 0,
  newId: (prefix) => `${prefix}new`,
  tokenCodec: createTokenCodec('secret'),
};
const hidden: ResponseContext = { ...context, request: { ...context.request, reasoning: {} } };

const start: StreamEvent = { type: 'start', id: 'r1', model: 'claude-opus-5' };
const opaqueToken = { protocol: 'messages', account: 'a1', model: 'claude-opus-5', value: 'sig' } as const;
const events: StreamEvent[] = [
  start,
  { type: 'block-start', choice: 0, head: { type: 'reasoning', isSummary: false } },
  { type: 'delta', choice: 0, text: 'h' },
  { type: 'delta', choice: 0, text: 'm', paragraph: 1 },
  { type: 'block-end', choice: 0, block: { type: 'reasoning', text: ['h', 'm'], isSummary: false, opaqueToken } },
  { type: 'block-start', choice: 0, head: { type: 'text' } },
  { type: 'delta', choice: 0, text: 'Grüß ' },
  { type: 'ping' },
  { type: 'delta', choice: 0, text: 'dich' },
  { type: 'block-end', choice: 0, block: { type: 'text', text: 'Grüß dich' } },
  { type: 'block-start', choice: 0, head: { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function' } },
  { type: 'delta', choice: 0, text: '{"a":' },
  { type: 'delta', choice: 0, text: '1}' },
  {
    type: 'block-end',
    choice: 0,
    block: { type: 'tool-call', callId: 'c1', name: 'f', kind: 'function', arguments: '{"a":1}' },
  },
  { type: 'finish', choice: 0, finish: 'tool_calls' },
  { type: 'usage', usage: { inputTokens: 3, outputTokens: 4 } },
  { type: 'end' },
];

function encode(list: readonly StreamEvent[], on: ResponseContext = context): string {
  const encoder = encodeStream(on);
  return list.map((event) => encoder.push(event)).join('');
}

function chunks(wire: string): Record<string, unknown>[] {
  const parser = createSseParser();
  const frames = [...parser.push(new TextEncoder().encode(wire)), ...parser.end()];
  // The cast is safe because encoded frames are objects.
  return frames.map(({ data }) => JSON.parse(data) as Record<string, unknown>);
}

const partsOf = (list: Record<string, unknown>[]) =>
  list.flatMap((chunk) => {
    // The cast is safe because this protocol encoded the chunk.
    const [candidate] = chunk['candidates'] as { content: { parts: Record<string, unknown>[] } }[];
    return candidate?.content.parts ?? [];
  });

describe('encodeStream', () => {
  it('writes only data lines: no event lines, no [DONE], and a blank line at the end', () => {
    const wire = encode(events);
    expect(wire).not.toMatch(/^event:|\[DONE\]/m);
    expect(wire.endsWith('}\r\n\r\n')).toBe(true);
    expect(chunks(wire).every((chunk) => chunk['modelVersion'] === 'my-model' && chunk['responseId'] === 'r1')).toBe(
      true,
    );
  });

  it('writes calls complete, and finish reason with usage in the last chunk only', () => {
    const list = chunks(encode(events));
    expect(partsOf(list)).toEqual([
      { text: 'h', thought: true },
      { text: '\n\nm', thought: true },
      { text: '', thought: true, thoughtSignature: expect.stringMatching(/^R1cx/) },
      { text: 'Grüß ' },
      { text: 'dich' },
      { functionCall: { id: 'c1', name: 'f', args: { a: 1 } } },
      { text: '' },
    ]);
    const last = list.pop();
    expect(last).toMatchObject({
      candidates: [{ finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 4, totalTokenCount: 7 },
    });
    expect(JSON.stringify(list)).not.toMatch(/finishReason|usageMetadata/);
  });

  it('hides thoughts that the client did not request and puts their token on the next part', () => {
    const parts = partsOf(chunks(encode(events, hidden)));
    expect(parts.some((part) => part['thought'])).toBe(false);
    expect(parts[0]).toEqual({ text: 'Grüß ', thoughtSignature: expect.stringMatching(/^R1cx/) });
    expect(parts[1]).toEqual({ text: 'dich' });
  });

  it('writes a block that arrives without deltas', () => {
    const completeBlock: StreamEvent[] = [
      start,
      { type: 'block-start', choice: 0, head: { type: 'text' } },
      { type: 'block-end', choice: 0, block: { type: 'text', text: 'complete' } },
      { type: 'block-start', choice: 0, head: { type: 'media' } },
      {
        type: 'block-end',
        choice: 0,
        block: { type: 'media', kind: 'image', source: { from: 'base64', mediaType: 'image/png', data: 'AAAA' } },
      },
    ];
    expect(partsOf(chunks(encode(completeBlock)))).toEqual([
      { text: 'complete' },
      { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
    ]);
  });

  it('can end with an error frame at any time, as the last frame', () => {
    for (let at = 0; at < events.length; at += 1) {
      const encoder = encodeStream(context);
      for (const event of events.slice(0, at)) encoder.push(event);
      const last = encoder.fail(new GatewayError('provider_error', 'Broken.'));
      expect(chunks(last)).toEqual([{ error: { code: 502, message: 'Broken.', status: 'INTERNAL' } }]);
      expect(
        encoder.push({ type: 'end' }) + encoder.keepAlive() + encoder.fail(new GatewayError('canceled', 'x')),
      ).toBe('');
    }
  });

  it('writes one JSON array without `alt=sse`, valid wherever it ends', () => {
    const arrays: ResponseContext = { ...context, framing: 'json-array' };
    // The test fails if the value is not an array.
    const parsed = JSON.parse(encode(events, arrays)) as Record<string, unknown>[];
    expect(parsed).toEqual(chunks(encode(events)));
    for (let at = 0; at < events.length; at += 1) {
      const encoder = encodeStream(arrays);
      const wire = [
        encoder.keepAlive(),
        ...events.slice(0, at).map((event) => encoder.push(event)),
        encoder.keepAlive(),
        encoder.fail(new GatewayError('rate_limited', 'Slow.')),
      ].join('');
      const list = JSON.parse(wire) as Record<string, unknown>[]; // The test fails if the value is not an array.
      expect(list.at(-1)).toHaveProperty('error.status', 'RESOURCE_EXHAUSTED');
    }
  });

  it('decodes to the blocks that were encoded', () => {
    const target = { upstream: 'g', account: 'a', protocol: 'generative-content', model: 'm', quirks: {} } as const;
    const block = fc.oneof(
      fc.record({ type: fc.constant('text' as const), text: fc.string({ unit: 'grapheme', minLength: 1 }) }),
      fc.record({ type: fc.constant('tool-call' as const), args: fc.dictionary(fc.string(), fc.jsonValue()) }),
    );
    fc.assert(
      fc.property(fc.array(block, { maxLength: 6 }), (blocks) => {
        const encoder = encodeStream(context);
        const decoder = decodeStream({ target, newId: (prefix) => prefix });
        let wire = encoder.push(start);
        const texts: string[] = [];
        for (const [index, one] of blocks.entries()) {
          const kind = { type: 'tool-call', callId: `c${index}`, name: 'f', kind: 'function' } as const;
          const written = one.type === 'text' ? one.text : JSON.stringify(one.args);
          const head = one.type === 'text' ? ({ type: 'text' } as const) : kind;
          const complete = one.type === 'text' ? one : { ...kind, arguments: written };
          wire += encoder.push({ type: 'block-start', choice: 0, head });
          wire += encoder.push({ type: 'delta', choice: 0, text: written });
          wire += encoder.push({ type: 'block-end', choice: 0, block: complete });
          texts.push(JSON.stringify(one.type === 'text' ? written : (JSON.parse(written) as unknown)));
        }
        wire += encoder.push({ type: 'finish', choice: 0, finish: 'stop' }) + encoder.push({ type: 'end' });
        const parser = createSseParser();
        const read = [...parser.push(new TextEncoder().encode(wire)), ...parser.end()].flatMap((one) =>
          decoder.push(one),
        );
        const deltas = read.flatMap((event) => (event.type === 'delta' ? [event.text] : []));
        const calls = blocks.filter((one) => one.type === 'tool-call').length;
        expect(read.filter((event) => event.type === 'block-start' && event.head.type === 'tool-call')).toHaveLength(
          calls,
        );
        expect(deltas).toHaveLength(texts.length);
        expect(decoder.end().at(-1)).toEqual({ type: 'end' });
      }),
      { numRuns: 50 },
    );
  });
});

/** Reads a stream with the SDK over a local socket. */
async function readWithSdk(wire: string) {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.end(wire);
  });
  await new Promise<void>((done) => {
    server.listen(0, '127.0.0.1', done);
  });
  const { port } = server.address() as AddressInfo; // The cast is safe because the server listens on TCP.
  const client = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: `http://127.0.0.1:${port}` } });
  const chat = client.chats.create({ model: 'my-model' });
  try {
    const stream = await chat.sendMessageStream({ message: 'Hi' });
    const read = [];
    for await (const chunk of stream) read.push(chunk);
    return { read, history: chat.getHistory(true) };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('the JavaScript SDK', () => {
  it('reads every chunk and keeps the turn for the next request', async () => {
    const { read, history } = await readWithSdk(encode(events));
    const parts = read.flatMap((chunk) => chunk.candidates?.[0]?.content?.parts ?? []);
    expect(parts.map((part) => (part.thought === true ? '' : (part.text ?? ''))).join('')).toBe('Grüß dich');
    expect(read.flatMap((chunk) => chunk.functionCalls ?? [])).toEqual([{ id: 'c1', name: 'f', args: { a: 1 } }]);
    expect(read.at(-1)?.usageMetadata?.totalTokenCount).toBe(7);
    expect(history.length).toBeGreaterThan(1);
    expect(JSON.stringify(history)).toContain('R1cx');
  });

  it('throws for an error inside the stream', async () => {
    const encoder = encodeStream(context);
    const wire = events
      .slice(0, 9)
      .map((event) => encoder.push(event))
      .join('');
    const failed = readWithSdk(wire + encoder.fail(new GatewayError('provider_overloaded', 'Busy.')));
    await expect(failed).rejects.toThrow(/Busy/);
  });
});
