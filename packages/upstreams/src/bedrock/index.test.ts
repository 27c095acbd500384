import type { ServerResponse } from 'node:http';
import { EventStreamCodec } from '@smithy/core/event-streams';
import { describe, expect, it } from 'vitest';
import { startServer, until } from '../../test/local-server.ts';
import { drainedOrClosed } from '../../test/waiting.ts';
import { describeTextContract } from '../../test/text-contract.ts';
import { reading, TEXT_KEY, textCall, textOf, textRig } from '../../test/text-rig.ts';

describeTextContract('bedrock', '');

const codec = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);

function message(fields: Record<string, string>, payload: string): Uint8Array {
  const headers = Object.entries(fields).map(([name, value]) => [name, { type: 'string', value } as const]);
  return codec.encode({ headers: Object.fromEntries(headers), body: Buffer.from(payload) });
}

const event = (type: string, payload: string) => message({ ':message-type': 'event', ':event-type': type }, payload);
const EVENT_STREAM = { 'content-type': 'application/vnd.amazon.eventstream' };

describe('calls of Bedrock', () => {
  it('have the model in the path, encoded as the SDK does', async () => {
    await using server = await startServer((_request, response) => response.end('{}'));
    await using rig = textRig({ kind: 'bedrock', base_url: server.origin, api_key: TEXT_KEY });
    const model = 'arn:aws:bedrock:us-east-1:1:inference-profile/us.anthropic.claude-sonnet-4-5-v1:0';
    await textOf(await rig.text.open(textCall({ model, stream: false })));
    await textOf(await rig.text.open(textCall({ model: 'a.b-v1:0' })));
    await textOf(await rig.text.open(textCall({ model: 'a', operation: 'count-tokens', stream: false })));
    expect(server.requests.map(({ url }) => url)).toEqual([
      '/model/arn%3Aaws%3Abedrock%3Aus-east-1%3A1%3Ainference-profile%2Fus.anthropic.claude-sonnet-4-5-v1%3A0/converse',
      '/model/a.b-v1%3A0/converse-stream',
      '/model/a/count-tokens',
    ]);
    expect(server.requests.map(({ headers }) => [headers.accept, headers.authorization])).toEqual([
      ['application/json', `Bearer ${TEXT_KEY}`],
      ['application/vnd.amazon.eventstream', `Bearer ${TEXT_KEY}`],
      ['application/json', `Bearer ${TEXT_KEY}`],
    ]);
    await expect(rig.text.open(textCall({ operation: 'compact' }))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('return the header that names an error', async () => {
    const headers = { 'x-amzn-errortype': 'ThrottlingException', 'x-amzn-requestid': '1' };
    await using server = await startServer((_request, response) => response.writeHead(429, headers).end('{}'));
    await using rig = textRig({ kind: 'bedrock', base_url: server.origin });
    const { body, ...reply } = await rig.text.open(textCall());
    body.abort();
    expect(reply).toEqual({ status: 429, headers: { 'x-amzn-errortype': 'ThrottlingException' } });
  });
});

async function staged(
  send: (response: ServerResponse) => void,
  play: (read: ReturnType<typeof reading>) => Promise<void>,
  wantsMore?: () => boolean,
): Promise<void> {
  await using server = await startServer((_request, response) => {
    response.writeHead(200, EVENT_STREAM).flushHeaders();
    send(response);
  });
  await using rig = textRig({ kind: 'bedrock', base_url: server.origin });
  const { headers, body } = await rig.text.open(textCall());
  expect(headers['content-type']).toBe('text/event-stream');
  const read = reading(wantsMore);
  body.feed(read);
  await play(read);
}

describe('an event stream', () => {
  it('becomes server-sent events, each before the next arrives', async () => {
    let reply: ServerResponse | undefined;
    await staged(
      (response) => (reply = response),
      async (read) => {
        const stop = event('messageStop', '{\r\n"b":2}');
        reply?.write(event('messageStart', '{"a":1}'));
        await until(() => read.text() === 'event: messageStart\ndata: {"a":1}\n\n');
        reply?.write(stop.subarray(0, 20));
        reply?.end(stop.subarray(20));
        await until(() => read.ended() === 'end');
        expect(read.text()).toMatch(/event: messageStop\ndata: \{\ndata: "b":2\}\n\n$/);
      },
    );
  });

  it('names exceptions and errors', async () => {
    const exception = { ':message-type': 'exception', ':exception-type': 'throttlingException' };
    const error = { ':message-type': 'error', ':error-code': 'InternalFailure', ':error-message': 'Oh "no".' };
    await staged(
      (response) => response.end(Buffer.concat([message(exception, '{"message":"Slow down."}'), message(error, '')])),
      async (read) => {
        await until(() => read.ended() === 'end');
        expect(read.text()).toBe(
          'event: throttlingException\ndata: {"message":"Slow down."}\n\n' +
            'event: InternalFailureException\ndata: {"message":"Oh \\"no\\"."}\n\n',
        );
      },
    );
  });

  it.each([
    ['a wrong checksum', (bytes: Buffer) => bytes.writeUInt32BE(7, bytes.length - 4)],
    ['an end inside a message', (bytes: Buffer) => bytes.subarray(0, -3)],
    ['a web page', () => Buffer.from('<html><body>It works!</body></html>')],
  ])('fails with %s, after the events before it', async (_what, change) => {
    const bytes = Buffer.from(event('messageStop', '{}'));
    const changed = change(bytes);
    await staged(
      (response) => {
        response.write(event('messageStart', '{}'));
        response.end(changed instanceof Buffer ? changed : bytes);
      },
      async (read) => {
        await until(() => read.ended() !== undefined);
        expect(read.ended()).toMatchObject({ failure: 'reset', sent: 'maybe' });
        expect(read.text()).toBe('event: messageStart\ndata: {}\n\n');
      },
    );
  });

  it('is collected as server-sent events, up to a limit of received bytes', async () => {
    const bytes = Buffer.from(event('messageStop', '{}'));
    await using server = await startServer((_request, response) => response.writeHead(200, EVENT_STREAM).end(bytes));
    await using rig = textRig({ kind: 'bedrock', base_url: server.origin });
    expect(await textOf(await rig.text.open(textCall()))).toBe('event: messageStop\ndata: {}\n\n');
    const { body } = await rig.text.open(textCall());
    await expect(body.collect(10)).rejects.toMatchObject({ failure: 'too_large' });
  });

  it('applies backpressure of a slow reader', async () => {
    const chunk = Buffer.concat(Array.from({ length: 500 }, () => event('x', JSON.stringify({ a: 'b'.repeat(100) }))));
    const total = 24 * 1024 * 1024;
    let sent = 0;
    let eager = false;
    await using server = await startServer(async (_request, response) => {
      response.writeHead(200, EVENT_STREAM);
      while (sent < total && !response.destroyed) {
        sent += chunk.length;
        if (!response.write(chunk)) await drainedOrClosed(response);
      }
      response.end();
    });
    await using rig = textRig({ kind: 'bedrock', base_url: server.origin });
    const { body } = await rig.text.open(textCall());
    const read = reading(() => eager);
    body.feed(read);
    let last = -1;
    await until(() => {
      const isStable = last === sent && sent > 0;
      last = sent;
      return isStable;
    });
    expect(read.bytes()).toBeLessThan(2 * 1024 * 1024);
    eager = true;
    body.resume();
    await until(() => read.ended() === 'end');
    expect(read.text().split('event: x').length - 1).toBe((sent / chunk.length) * 500);
  });
});
