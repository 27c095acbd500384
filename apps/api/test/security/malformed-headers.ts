import type { CreatedIds } from './valid-bodies.ts';

/** Malformed headers of an otherwise valid request. */
export interface MalformedHeaders {
  title: string;
  lines: readonly string[];
  /** The target path. By default, the list of models. */
  at?: (created: CreatedIds) => string;
  /** The JSON body of a POST request. If omitted, the request is a GET. */
  body?: object;
  /** Whether to omit Alice's key. */
  keyless?: boolean;
  statuses: readonly number[];
}

const content = ({ video }: CreatedIds) => `/v1/videos/${video}/content`;
const retrieve = ({ video }: CreatedIds) => `/v1/videos/${video}`;
const events = ({ video }: CreatedIds) => `/v1/videos/${video}/events`;
const create = { at: () => '/v1/videos', body: { model: 'video', prompt: 'a kite' } };
const long = (bytes: number) => 'x'.repeat(bytes);
const ranges = (count: number) => Array.from({ length: count }, (_, at) => `${at}-`).join(',');
const named = (name: string, values: readonly string[], more: Omit<MalformedHeaders, 'title' | 'lines'>) =>
  values.map((value) => ({
    title: `${name}: ${value.length > 40 ? `${value.slice(0, 40)}… (${value.length})` : value}`,
    lines: [`${name}: ${value}`],
    ...more,
  }));

/** Malformed header lines, each with its target and the accepted statuses. */
export const MALFORMED_HEADERS: readonly MalformedHeaders[] = [
  ...named(
    'range',
    [
      `bytes=${ranges(1_000)}`,
      `bytes=0-0,${'1-1,'.repeat(2_000)}2-2`,
      'bytes=0-18446744073709551616',
      'bytes=99999999999999999999-',
      'bytes=-99999999999999999999',
      'bytes=5-1',
      'bytes=--1',
      'bytes=0-0x5',
      'octets=0-5',
      'bytes=',
      'bytes=a-b',
      long(8_000),
      'bytes=0-0\t,1-1',
      'bytes = 0 - 1',
    ],
    { at: content, statuses: [200, 206, 400, 416] },
  ),
  ...named('if-range', [long(8_000), '"', 'W/"x"', '\xff\xfe', 'Thu, 99 Foo 9999 99:99:99 GMT'], {
    at: content,
    statuses: [200, 206],
  }),
  ...named('if-none-match', ['*', long(8_000), '"'.repeat(3_000), 'W/', `"a",`.repeat(1_000)], {
    at: content,
    statuses: [200, 304],
  }),
  ...named(
    'idempotency-key',
    [long(256), long(10_000), '../../etc/passwd', '__proto__', "a'; DROP TABLE x", '\xff\xfe', '*', '{}:{}'],
    {
      ...create,
      statuses: [200, 400],
    },
  ),
  { title: 'an empty idempotency-key', lines: ['idempotency-key:'], ...create, statuses: [200, 400] },
  {
    title: 'two idempotency-keys',
    lines: ['idempotency-key: a', 'idempotency-key: b'],
    ...create,
    statuses: [200, 400],
  },
  ...named(
    'prefer',
    [
      'wait=99999999999999999999',
      'wait=-1',
      'wait=1e9',
      'wait="',
      'wait=0,'.repeat(1_000),
      long(8_000),
      'respond-async=\xff',
    ],
    {
      ...create,
      statuses: [200, 202, 400],
    },
  ),
  ...named('prefer', ['wait=0', 'wait=NaN', 'wait=0x10', ',;,;,;'], { at: retrieve, statuses: [200] }),
  ...named('last-event-id', ['-1', '99999999999999999999', '__proto__', long(8_000), '\xff', '0-0', "1\t'"], {
    at: events,
    statuses: [200],
  }),
  ...named(
    'x-request-id',
    [long(129), '<script>alert(1)</script>', '%0d%0aset-cookie: a=b', '\xe4', '${jndi:ldap://x}', '"}{"'],
    {
      statuses: [200],
    },
  ),
  ...named('x-stainless-retry-count', ['-1', '1e99', 'NaN', long(5_000)], { ...create, statuses: [200, 400] }),
  ...named('x-forwarded-host', ['evil.example', '169.254.169.254'], { at: retrieve, statuses: [200] }),
  ...named('x-forwarded-for', ['127.0.0.1', long(5_000)], { statuses: [200] }),
  ...named('x-original-url', ['/admin/v1/keys'], { statuses: [200] }),
  ...named('x-http-method-override', ['DELETE'], { at: retrieve, statuses: [200] }),
  ...named('cookie', [`a=${long(6_000)}`, 'a=b; '.repeat(1_000), '__proto__=1'], { statuses: [200] }),
  ...named('accept', [long(8_000), '*/*;q='.repeat(1_000)], { statuses: [200] }),
  ...named('accept-encoding', ['gzip;q=1e9, br, zstd', long(4_000)], { statuses: [200] }),
  ...named('messages-version', [long(4_000), '__proto__', '\xff'], { statuses: [200, 400] }),
  ...named('expect', ['100-continue, 100-continue', '200-ok', long(2_000)], { statuses: [200, 400, 417] }),
  ...named('connection', ['close, authorization', 'upgrade', 'content-length, keep-alive, close'], {
    statuses: [200, 401],
  }),
  ...named('te', ['trailers, deflate', long(2_000)], { statuses: [200] }),
  ...named('keep-alive', ['timeout=999999999, max=999999999'], { statuses: [200] }),
  ...named('upgrade-insecure-requests', ['1'], { statuses: [200] }),
  ...named(
    'authorization',
    [
      'Bearer',
      'Bearer ',
      'Bearer \t',
      'bearer sk-alice-key x',
      'Basic Og==',
      `Bearer ${long(8_000)}`,
      'Bearer __proto__',
      'Bearer constructor',
      'Bearer null',
      'Bearer undefined',
      'Bearer \xff',
      'Digest username="a"',
      'AWS4-HMAC-SHA256 Credential=a',
    ],
    { keyless: true, statuses: [401] },
  ),
  ...named('x-api-key', ['', '__proto__', '*', 'sk-alice-key,sk-bob-key', '\xff', long(8_000)], {
    keyless: true,
    statuses: [401],
  }),
  {
    title: 'two different keys',
    lines: ['authorization: Bearer sk-unknown', 'authorization: Bearer sk-alice-key'],
    keyless: true,
    statuses: [401],
  },
  { title: 'an API key in place of the admin key', lines: [], at: () => '/admin/v1/keys', statuses: [401, 403] },
  {
    title: 'a key in repeated parameters',
    lines: [],
    at: () => '/v1/models?key=unknown&key=sk-alice-key',
    keyless: true,
    statuses: [401],
  },
  {
    title: 'a key in a nested parameter',
    lines: [],
    at: () => '/v1/models?key[]=sk-alice-key',
    keyless: true,
    statuses: [401],
  },
  {
    title: 'repeated parameters',
    lines: [],
    at: () => '/v1/videos?limit=1&limit=2&order=asc&order=desc',
    statuses: [200, 400],
  },
  {
    title: 'a parameter named __proto__',
    lines: [],
    at: () => '/v1/videos?__proto__[limit]=1&constructor=2',
    statuses: [200],
  },
  ...['-1', '0', '1e9', '1.5', 'NaN', '9'.repeat(400), '\u0000'].map((limit) => ({
    title: `a limit of ${limit.slice(0, 10)}`,
    lines: [],
    at: () => `/v1/videos?limit=${encodeURIComponent(limit)}`,
    statuses: [200, 400],
  })),
  ...['__proto__', long(900), '%00', '..%2f..', "'", '*', 'video_*', '%F0%9F%AA%81'].map((after) => ({
    title: `after ${after.slice(0, 10)}`,
    lines: [],
    at: () => `/v1/videos?after=${after}`,
    statuses: [200, 400, 404],
  })),
  { title: '1,900 headers', lines: Array.from({ length: 1_900 }, (_, at) => `a${at}: `), statuses: [200, 431] },
  { title: 'unlimited headers', lines: Array.from({ length: 30_000 }, (_, at) => `a${at}: b`), statuses: [431] },
  { title: 'one header of 64 KiB', lines: [`a: ${long(65_536)}`], statuses: [431] },
  { title: 'a header 500 times', lines: Array.from({ length: 500 }, () => 'accept: x'), statuses: [200] },
  ...['evil.example', '127.0.0.1:99999', 'a b', 'a@b', '[::1', long(4_000), '\xff', '../..', "x'><script>"].map(
    (host) => ({
      title: `a host of ${host.slice(0, 20)}`,
      lines: [`host: ${host}`],
      at: retrieve,
      statuses: [200, 400],
    }),
  ),
  ...[
    '/v1/models',
    '/v1/chat/completions',
    '/v1/videos',
    '/admin/v1/keys',
    '/metrics',
    '/',
    '/v1/responses',
    '/v1/realtime%2f..',
  ].map((path) => ({
    title: `a WebSocket at ${path}`,
    lines: [
      'connection: upgrade, close',
      'upgrade: websocket',
      'sec-websocket-version: 13',
      'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
    ],
    at: () => path,
    statuses: [200, 400, 401, 404, 405, 426],
  })),
  ...[
    ['no handshake key', ['sec-websocket-version: 13']],
    ['an unknown version', ['sec-websocket-version: 99', 'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==']],
    ['an invalid key', ['sec-websocket-version: 13', 'sec-websocket-key: x']],
    [
      'a flood of sub-protocols',
      [
        'sec-websocket-version: 13',
        'sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==',
        `sec-websocket-protocol: ${'realtime,'.repeat(800)}`,
      ],
    ],
  ].map(([title, lines]) => ({
    title: `a WebSocket with ${String(title)}`,
    // The cast is safe because each pair's second element is a list of lines.
    lines: ['connection: upgrade, close', 'upgrade: websocket', ...(lines as string[])],
    at: () => '/v1/realtime?model=by-chat',
    statuses: [400, 404, 426],
  })),
  {
    title: 'an upgrade to HTTP/2',
    lines: ['connection: upgrade, http2-settings', 'upgrade: h2c', 'http2-settings: AAMAAABkAAQAAP__'],
    statuses: [200],
  },
];
