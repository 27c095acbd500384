import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { UpstreamAccount } from '../src/contract/upstream.ts';
import { deadOrigin, readBody, startServer, until, type Responder } from './local-server.ts';
import { CLIENT_HEADERS } from './leaking-headers.ts';
import { startRaw } from './raw-server.ts';
import { reading, TEXT_KEY, textCall, textOf, textRig } from './text-rig.ts';
import { drainedOrClosed, untilStable, within } from './waiting.ts';

export function describeTextContract(kind: string, path: '' | '/v1'): void {
  const accountAt = (origin: string): UpstreamAccount => ({ kind, base_url: `${origin}${path}`, api_key: TEXT_KEY });

  async function staged(
    respond: Responder,
    play: (stage: { text: ReturnType<typeof textRig>['text']; requests: () => number }) => Promise<void>,
    idleMs?: number,
  ): Promise<void> {
    await using server = await startServer(respond);
    await using rig = textRig(accountAt(server.origin), idleMs, idleMs);
    await play({ text: rig.text, requests: () => server.requests.length });
  }

  describe(`upstream of kind ${kind}`, () => {
    it('returns the status before the first body byte, and each byte before the next', async () => {
      let reply: ServerResponse | undefined;
      await staged(
        (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
          reply = response;
        },
        async ({ text }) => {
          const { status, headers, body } = await text.open(textCall());
          expect([status, headers['content-type']]).toEqual([200, 'text/event-stream']);
          const read = reading();
          body.feed(read);
          for (const letter of ['a', 'b', 'c']) {
            const before = read.text();
            reply?.write(letter);
            await until(() => read.text() === before + letter);
          }
          reply?.end();
          await until(() => read.ended() === 'end');
        },
      );
    });

    it('sends text, bytes, or chunks unchanged, with their length', async () => {
      const bodies: unknown[] = [];
      await staged(
        async (request, response) => {
          bodies.push([(await readBody(request)).toString(), request.headers['content-length']]);
          response.end('{}');
        },
        async ({ text }) => {
          const body = '{"say":"grüß dich"}';
          await textOf(await text.open(textCall({ body })));
          await textOf(await text.open(textCall({ body: Buffer.from(`xx${body}xx`).subarray(2, -2) })));
          const bytes = Buffer.from(body);
          await textOf(await text.open(textCall({ body: [bytes.subarray(0, 11), bytes.subarray(11)] })));
          expect(bodies).toEqual([
            [body, '21'],
            [body, '21'],
            [body, '21'],
          ]);
        },
      );
    });

    it('sends nothing about the client, and the account’s key once', async () => {
      let rawHeaders: string[] = [];
      await staged(
        (request, response) => {
          rawHeaders = request.rawHeaders;
          response.end('{}');
        },
        async ({ text }) => {
          await textOf(await text.open(textCall({ headers: CLIENT_HEADERS })));
          expect(rawHeaders.join('\n')).not.toContain('leak');
          expect(rawHeaders.filter((value) => value.includes(TEXT_KEY))).toHaveLength(1);
          expect(rawHeaders.join('\n').toLowerCase()).toContain('accept-encoding\nidentity');
        },
      );
    });

    it('sends no credential without a key', async () => {
      await using server = await startServer((_request, response) => response.end('{}'));
      await using rig = textRig({ kind, base_url: `${server.origin}${path}` });
      await textOf(await rig.text.open(textCall({ headers: CLIENT_HEADERS })));
      const names = Object.keys(server.requests[0]?.headers ?? {});
      expect(names.filter((name) => /auth|key|cookie/.test(name))).toEqual([]);
    });

    it('returns only headers that a client may see', async () => {
      const passed = {
        'content-type': 'application/json',
        'retry-after': '7',
        'retry-after-ms': '7000',
        'x-request-id': 'req_1',
        'request-id': 'req_2',
        'x-ratelimit-remaining-tokens': '9',
        'anthropic-ratelimit-tokens-limit': '10',
        'openai-processing-ms': '11',
      };
      const kept = { 'set-cookie': 'a=b', 'openai-organization': 'org-acme', 'x-served-by': 'host-1', location: '/x' };
      await staged(
        (_request, response) => response.writeHead(429, { ...passed, ...kept }).end('{}'),
        async ({ text }) => {
          const reply = await text.open(textCall());
          expect([reply.status, reply.headers]).toEqual([429, passed]);
          expect(await textOf(reply)).toBe('{}');
        },
      );
    });

    it('applies backpressure of a slow reader and resumes', async () => {
      const total = 48 * 1024 * 1024;
      const chunk = Buffer.alloc(64 * 1024);
      let sent = 0;
      await staged(
        async (_request, response) => {
          while (sent < total && !response.destroyed) {
            sent += chunk.length;
            if (!response.write(chunk)) await drainedOrClosed(response);
          }
          response.end();
        },
        async ({ text }) => {
          let eager = false;
          const { body } = await text.open(textCall());
          expect(await untilStable(() => sent)).toBeLessThan(total);
          const read = reading(() => eager);
          body.feed(read);
          expect(await untilStable(() => sent)).toBeLessThan(total);
          expect(read.bytes()).toBeLessThan(1024 * 1024);
          eager = true;
          body.resume();
          await until(() => read.ended() === 'end');
          expect(read.bytes()).toBe(total);
        },
      );
    });

    it('disconnects at once when the call is aborted while connecting', async () => {
      await using raw = await startRaw();
      await using rig = textRig({ kind, base_url: `https://127.0.0.1:${raw.port}${path}`, api_key: TEXT_KEY });
      const stop = new AbortController();
      const opening = rig.text.open(textCall({ signal: stop.signal }));
      // The TLS handshake has started, but the server does not respond.
      await until(() => raw.received() > 0);
      stop.abort();
      await expect(opening).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
      await within(2000, () => raw.closed() === 1);
    });

    it('disconnects at once when the call is aborted before the status', async () => {
      let isDisconnected = false;
      await staged(
        (_request, response) => void response.on('close', () => (isDisconnected = true)),
        async ({ text, requests }) => {
          const stop = new AbortController();
          const opening = text.open(textCall({ signal: stop.signal }));
          opening.catch(() => undefined);
          await until(() => requests() > 0);
          stop.abort();
          await expect(opening).rejects.toMatchObject({ failure: 'aborted', sent: 'maybe' });
          await within(2000, () => isDisconnected);
        },
      );
    });

    it.each(['by the signal', 'by the reader', 'unread'])(
      'disconnects at once when the body is aborted: %s',
      async (how) => {
        let isDisconnected = false;
        await staged(
          (_request, response) => response.on('close', () => (isDisconnected = true)).write('data: 1\n\n'),
          async ({ text }) => {
            const stop = new AbortController();
            const { body } = await text.open(textCall({ signal: stop.signal }));
            const read = reading();
            if (how !== 'unread') {
              body.feed(read);
              await until(() => read.bytes() > 0);
            }
            if (how === 'by the signal') stop.abort();
            else body.abort();
            await within(2000, () => isDisconnected);
            if (how !== 'unread') expect(read.ended()).toMatchObject({ failure: 'aborted' });
          },
        );
      },
    );

    it('is never called for a client that has already disconnected', async () => {
      await staged(
        (_request, response) => response.end('{}'),
        async ({ text, requests }) => {
          const opening = text.open(textCall({ signal: AbortSignal.abort() }));
          await expect(opening).rejects.toMatchObject({ failure: 'aborted', sent: 'no' });
          expect(requests()).toBe(0);
        },
      );
    });

    it('fails a truncated body after its bytes', async () => {
      await staged(
        (request, response) => {
          response.write('data: 1\n\n');
          setTimeout(() => request.socket.destroy(), 50);
        },
        async ({ text }) => {
          const { body } = await text.open(textCall());
          const read = reading();
          body.feed(read);
          await until(() => read.ended() !== undefined);
          expect([read.text(), read.ended()]).toMatchObject(['data: 1\n\n', { failure: 'reset', sent: 'maybe' }]);
        },
      );
    });

    it('times out when it stalls before the status', async () => {
      await staged(
        () => undefined,
        async ({ text }) => {
          await expect(text.open(textCall())).rejects.toMatchObject({ failure: 'timeout', sent: 'maybe' });
        },
        100,
      );
    });

    it('times out when it stalls during the body', async () => {
      await staged(
        (_request, response) => response.write('data: 1\n\n'),
        async ({ text }) => {
          const { body } = await text.open(textCall());
          const read = reading();
          body.feed(read);
          await until(() => read.ended() !== undefined);
          expect(read.ended()).toMatchObject({ failure: 'timeout', sent: 'maybe' });
        },
        300,
      );
    });

    it('reports that nothing was sent when unreachable', async () => {
      await using rig = textRig(accountAt(await deadOrigin()));
      await expect(rig.text.open(textCall())).rejects.toMatchObject({ failure: 'connect', sent: 'no' });
    });

    it('reports that the request may have been sent when the server hangs up, and does not retry', async () => {
      await staged(
        async (request) => {
          await readBody(request);
          request.socket.destroy();
        },
        async ({ text, requests }) => {
          await expect(text.open(textCall())).rejects.toMatchObject({ failure: 'reset', sent: 'maybe' });
          expect(requests()).toBe(1);
        },
      );
    });

    it('follows no redirect', async () => {
      await staged(
        (_request, response) => response.writeHead(307, { location: '/elsewhere' }).end(),
        async ({ text, requests }) => {
          expect(await text.open(textCall())).toMatchObject({ status: 307 });
          expect(requests()).toBe(1);
        },
      );
    });

    it('hides the account in upstream text', async () => {
      const { text } = textRig(accountAt('https://vendor.internal:8443'));
      const message = `key ${TEXT_KEY} of org-AbCdEfGh12 and proj_AbCdEfGh12 at https://vendor.internal:8443/v1 is off`;
      expect(text.scrub(message)).toBe('key [hidden] of [hidden] and [hidden] at https://[hidden]/v1 is off');
      expect(text.scrub('Incorrect API key provided: sk-proj-ab****yz.')).not.toContain('sk-proj');
      expect(text.scrub('{"error":"no model org-mode"}')).toBe('{"error":"no model org-mode"}');
    });

    it('has an account id that contains neither key nor host and changes with both', () => {
      const names = [
        accountAt('https://a.example'),
        accountAt('https://b.example'),
        { ...accountAt('https://a.example'), api_key: 'other' },
      ].map((account) => textRig(account).text.account);
      expect(names.every((name) => /^[0-9a-f]{8}$/.test(name))).toBe(true);
      expect(new Set(names).size).toBe(3);
      expect(textRig(accountAt('https://a.example')).text.account).toBe(names[0]);
    });
  });
}
