import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { CLIENT_SECRET, CLIENT_HEADERS, unexpectedHeaders } from '../../test/security/client-headers.ts';
import { HandshakeError, type RealtimeRig, realtimeRig, VENDOR_KEY } from '../../test/realtime-rig.ts';

/** The operator's account at the vendor. */
const ACCOUNT = 'org-of-the-operator';

let rig: RealtimeRig;
beforeAll(async () => {
  rig = await realtimeRig();
  rig.vendor.adds = (request) => echoOf(request).map(([name, value]) => `${name}: ${value}`);
  rig.vendor.onOpen = (socket) => {
    const message = `You sent ${JSON.stringify(rig.vendor.handshakes.at(-1)?.rawHeaders)}`;
    socket.send(JSON.stringify({ type: 'error', error: { type: 'server_error', code: null, message } }));
  };
});
afterAll(() => rig.close());

/** All received headers, plus headers that identify the vendor's account. */
function echoOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const own = /^(?:host|connection|upgrade|sec-websocket-.*)$/i;
  const received = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !own.test(name) ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return [
    ...received,
    ...received.map(([name, value]): [string, string] => [`x-echo-${name}`, value]),
    ['set-cookie', `account=${ACCOUNT}`],
    ['server', ACCOUNT],
    ['via', `1.1 ${ACCOUNT}`],
    ['openai-organization', ACCOUNT],
    ['www-authenticate', `Bearer realm="${ACCOUNT}"`],
  ];
}

const key = `openai-insecure-api-key.${KEYS.alice}`;
/** Every way to send the API key. The other credentials in each row must not be forwarded. */
const CREDENTIALS = [
  ['a sub-protocol', ['realtime', key], {}],
  [
    'a sub-protocol among others',
    ['openai-organization.client-secret-o', key, 'realtime', 'openai-project.client-secret-p'],
    {},
  ],
  ['two sub-protocols', ['realtime', key, 'openai-insecure-api-key.client-secret-second'], {}],
  [
    'a Bearer token beside a sub-protocol',
    ['realtime', 'openai-insecure-api-key.client-secret-other'],
    { authorization: `Bearer ${KEYS.alice}` },
  ],
] as const satisfies [string, readonly string[], Record<string, string>][];

/** The handshake's other client headers, without API keys. */
const { 'x-api-key': _one, 'x-goog-api-key': _two, 'x-gen-api-key': _three, ...OTHER_HEADERS } = CLIENT_HEADERS;
const QUERY = 'model=voice&api_key=client-secret-q&token=client-secret-q&session_id=theirs-1';

function expectNoVendorSecret(headers: IncomingMessage['headers'], body: string): void {
  const sent = JSON.stringify(headers) + body;
  for (const secret of [VENDOR_KEY, ACCOUNT, new URL(rig.vendor.url).host]) expect(sent).not.toContain(secret);
  const { 'sec-websocket-accept': _accept, 'sec-websocket-protocol': _selected, ...others } = headers;
  expect(unexpectedHeaders(Object.keys(others))).toEqual([]);
}

function expectNoClientSecret({ url, rawHeaders }: IncomingMessage): void {
  expect(url).toBe('/v1/realtime?model=theirs');
  const names = rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  const ours = [
    'authorization',
    'connection',
    'host',
    'sec-websocket-key',
    'sec-websocket-version',
    'upgrade',
    'user-agent',
  ];
  expect(names.toSorted()).toEqual(ours);
  const sent = JSON.stringify(rawHeaders);
  expect(sent).toContain(VENDOR_KEY);
  expect(sent).not.toMatch(CLIENT_SECRET);
  expect(sent).not.toContain(KEYS.alice);
}

describe.each(CREDENTIALS)('a session with the key in %s', (_name, protocols, headers) => {
  const connect = () => rig.connect(QUERY, { protocols: [...protocols], headers: { ...OTHER_HEADERS, ...headers } });

  it('sends only the operator’s credential upstream and returns none to the client', async () => {
    const client = await connect();
    await expect.poll(() => client.texts.length).toBe(1);
    expect(client.socket.protocol).toBe('realtime');
    expect(client.headers['sec-websocket-protocol']).toBe('realtime');
    expectNoVendorSecret(client.headers, client.texts.join(''));
    expect(client.texts[0]).toContain('You sent');
    const handshake = rig.vendor.handshakes.at(-1);
    if (!handshake) throw new Error('a session was opened');
    expectNoClientSecret(handshake);
    await new Promise((resolve) => client.socket.once('close', resolve).close());
  });

  it.each([302, 400, 401, 403, 429, 500])(
    'returns none of the headers that the vendor echoes with HTTP %i',
    async (status) => {
      rig.vendor.refuse = (request, response) => {
        for (const [name, value] of echoOf(request)) response.appendHeader(name, value);
        if (status === 302) response.setHeader('location', `${rig.vendor.url}/elsewhere?key=${VENDOR_KEY}`);
        const message = `You sent ${request.url} ${JSON.stringify(request.rawHeaders)}`;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message, type: 'refused', code: 'refused' } }));
      };
      const handshakesBefore = rig.vendor.handshakes.length;
      const refused = await connect().catch((error: unknown) => error);
      rig.vendor.refuse = undefined;
      if (!(refused instanceof HandshakeError)) throw new Error('it was opened', { cause: refused });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expectNoVendorSecret(refused.headers, refused.body);
      const handshakes = rig.vendor.handshakes.slice(handshakesBefore);
      expect(handshakes.length).toBe(1);
      for (const handshake of handshakes) expectNoClientSecret(handshake);
    },
  );
});

it('logs no credential of client or operator', () => {
  const lines = rig.logs();
  expect(lines).toContain('"path":"/v1/realtime');
  for (const secret of [KEYS.alice, VENDOR_KEY, ACCOUNT]) {
    expect(lines.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  }
  expect(lines.split('\n').filter((line) => CLIENT_SECRET.test(line))).toEqual([]);
});
