import type { IncomingMessage } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { KEYS } from '../../test/api-rig.ts';
import { CLIENT_SECRET, CLIENT_HEADERS, unexpectedHeaders } from '../../test/security/client-headers.ts';
import { HandshakeError, type RealtimeRig, realtimeRig, VENDOR_KEY } from '../../test/realtime-rig.ts';

/** Names the operator's account at the vendor. */
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

/** Everything that came, and what such servers say beside. */
function echoOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const own = /^(?:host|connection|upgrade|sec-websocket-.*)$/i;
  const came = rawHeaders.flatMap((name, at): [string, string][] =>
    at % 2 === 0 && !own.test(name) ? [[name, rawHeaders[at + 1] ?? '']] : [],
  );
  return [
    ...came,
    ...came.map(([name, value]): [string, string] => [`x-echo-${name}`, value]),
    ['set-cookie', `account=${ACCOUNT}`],
    ['server', ACCOUNT],
    ['via', `1.1 ${ACCOUNT}`],
    ['openai-organization', ACCOUNT],
    ['www-authenticate', `Bearer realm="${ACCOUNT}"`],
  ];
}

const key = `openai-insecure-api-key.${KEYS.alice}`;
/** Every way to say who one is; those that are not the key say something of the client's as well. */
const WAYS = [
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

/** Headers of a handshake; no client's key but by the way that is tried. */
const { 'x-api-key': _one, 'x-goog-api-key': _two, 'x-gen-api-key': _three, ...BESIDE } = CLIENT_HEADERS;
const QUERY = 'model=voice&api_key=client-secret-q&token=client-secret-q&session_id=theirs-1';

/** What must never come out. */
function expectNothingOfTheVendor(headers: IncomingMessage['headers'], body: string): void {
  const told = JSON.stringify(headers) + body;
  for (const secret of [VENDOR_KEY, ACCOUNT, new URL(rig.vendor.url).host]) expect(told).not.toContain(secret);
  const { 'sec-websocket-accept': _accept, 'sec-websocket-protocol': _selected, ...others } = headers;
  expect(unexpectedHeaders(Object.keys(others))).toEqual([]);
}

/** What a vendor of sessions is told: of us, and of nobody behind us. */
function expectNothingOfTheClient({ url, rawHeaders }: IncomingMessage): void {
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

describe.each(WAYS)('a session whose client is known by %s', (_name, protocols, headers) => {
  const connect = () => rig.connect(QUERY, { protocols: [...protocols], headers: { ...BESIDE, ...headers } });

  it('is opened with the operator’s credential alone, which comes back to nobody', async () => {
    const client = await connect();
    await expect.poll(() => client.texts.length).toBe(1);
    expect(client.socket.protocol).toBe('realtime');
    expect(client.headers['sec-websocket-protocol']).toBe('realtime');
    expectNothingOfTheVendor(client.headers, client.texts.join(''));
    expect(client.texts[0]).toContain('You sent');
    const handshake = rig.vendor.handshakes.at(-1);
    if (!handshake) throw new Error('a session was opened');
    expectNothingOfTheClient(handshake);
    await new Promise((resolve) => client.socket.once('close', resolve).close());
  });

  it.each([302, 400, 401, 403, 429, 500])(
    'is refused with nothing of what the vendor repeats with HTTP %i',
    async (status) => {
      rig.vendor.refuse = (request, response) => {
        for (const [name, value] of echoOf(request)) response.appendHeader(name, value);
        if (status === 302) response.setHeader('location', `${rig.vendor.url}/elsewhere?key=${VENDOR_KEY}`);
        const message = `You sent ${request.url} ${JSON.stringify(request.rawHeaders)}`;
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ error: { message, type: 'refused', code: 'refused' } }));
      };
      const asked = rig.vendor.handshakes.length;
      const refused = await connect().catch((error: unknown) => error);
      rig.vendor.refuse = undefined;
      if (!(refused instanceof HandshakeError)) throw new Error('it was opened', { cause: refused });
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expectNothingOfTheVendor(refused.headers, refused.body);
      const handshakes = rig.vendor.handshakes.slice(asked);
      expect(handshakes.length).toBe(1);
      for (const handshake of handshakes) expectNothingOfTheClient(handshake);
    },
  );
});

it('no line of the log holds a credential of either side', () => {
  const lines = rig.logs();
  expect(lines).toContain('"path":"/v1/realtime');
  for (const secret of [KEYS.alice, VENDOR_KEY, ACCOUNT]) {
    expect(lines.split('\n').filter((line) => line.includes(secret))).toEqual([]);
  }
  expect(lines.split('\n').filter((line) => CLIENT_SECRET.test(line))).toEqual([]);
});
