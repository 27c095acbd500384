import { KEYS } from '../api-rig.ts';

/** Malformed bytes, which are sent on a separate connection. */
export interface MalformedRequest {
  title: string;
  chunks: readonly (string | Buffer)[];
  /** The accepted statuses, one for each response. If empty, no response is required. */
  statuses: readonly number[];
  /** Maximum number of responses, 1 by default. More responses would mean a smuggled request. */
  max?: number;
}

const AUTH = `authorization: Bearer ${KEYS.alice}`;
const BODY = '{"model":"by-chat","messages":[{"role":"user","content":"hi"}]}';
/** If a server treats this as a request, it logs the path and sends a response. */
const SMUGGLED = `GET /smuggled HTTP/1.1\r\nhost: x\r\n\r\n`;

/** Encodes a chat request. */
function chat(lines: readonly string[], body: string, end = '\r\n'): string {
  const head = ['POST /v1/chat/completions HTTP/1.1', 'host: x', AUTH, 'content-type: application/json', ...lines];
  return [...head, '', ''].join(end) + body;
}

/** Encodes a request for the list of models. */
function get(lines: readonly string[], target = '/v1/models', version = 'HTTP/1.1'): string {
  return [`GET ${target} ${version}`, 'host: x', AUTH, 'connection: close', ...lines, '', ''].join('\r\n');
}

const chunked = `${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`;
const length = `content-length: ${BODY.length}`;
const close = 'connection: close';
const TE = 'transfer-encoding: chunked';
const REFUSED = [400];

/** Requests whose end is ambiguous. */
export const SMUGGLING: readonly MalformedRequest[] = [
  one('both lengths', chat([length, TE], chunked + SMUGGLED)),
  one('both lengths, in reverse order', chat([TE, 'content-length: 4'], chunked + SMUGGLED)),
  one('both lengths with an empty body', chat(['content-length: 6', TE], `0\r\n\r\n${SMUGGLED}`)),
  one('an unknown transfer encoding', chat(['transfer-encoding: xchunked', close], chunked + SMUGGLED)),
  one(
    'chunked, followed by another encoding',
    chat(['transfer-encoding: chunked, identity', close], chunked + SMUGGLED),
  ),
  one('chunked twice', chat([TE, TE, close], chunked + SMUGGLED), [200, 400]),
  one('identity', chat(['transfer-encoding: identity', close], chunked + SMUGGLED)),
  one('identity with a length', chat(['transfer-encoding: identity', length], BODY + SMUGGLED)),
  one('a quoted encoding', chat(['transfer-encoding: "chunked"', close], chunked + SMUGGLED)),
  one('a vertical tab in the encoding', chat(['transfer-encoding: \x0bchunked', close], chunked + SMUGGLED)),
  one('a space before the colon', chat(['transfer-encoding : chunked', length], chunked + SMUGGLED)),
  one('a folded transfer encoding', chat(['transfer-encoding:\r\n chunked', length], chunked + SMUGGLED)),
  one('a folded header', chat(['x-a: b\r\n c', length, close], BODY), [200, 400]),
  one('NUL in the encoding', chat(['transfer-encoding: chunked\0', close], chunked + SMUGGLED)),
  one('two lengths', chat(['content-length: 4', length], BODY + SMUGGLED)),
  one('the same length twice', chat([length, length, close], BODY), [200, 400]),
  one('lengths in a list', chat([`content-length: ${BODY.length}, ${BODY.length}`], BODY + SMUGGLED)),
  one('a length with a sign', chat([`content-length: +${BODY.length}`], BODY + SMUGGLED)),
  one('a signed length', chat(['content-length: -1'], BODY + SMUGGLED)),
  one('a length in hexadecimal', chat(['content-length: 0x3f'], BODY + SMUGGLED)),
  one('a length with an exponent', chat(['content-length: 6e1'], BODY + SMUGGLED)),
  one('an empty length', chat(['content-length:'], BODY + SMUGGLED)),
  one('a length above all integers', chat(['content-length: 18446744073709551617'], BODY + SMUGGLED)),
  one('a length above the size limit', chat(['content-length: 9007199254740991'], BODY + SMUGGLED), [413]),
  one('a second request after a GET', `${get([], '/v1/models')}GET / HTTP/1.1\r\n\r\n`, [200, 400]),
  one('a GET with a body', get(['content-length: 5'], '/v1/models') + 'hello', [200, 400]),
];

/** Malformed header lines and chunks. */
export const FRAMING: readonly MalformedRequest[] = [
  one('headers terminated by LF', chat([length, close], BODY, '\n'), [200, 400]),
  one('headers terminated by CR', chat([length], BODY, '\r')),
  one('a CR in a header', get(['x-a: b\rx-b: c'])),
  one('NUL in a header', get(['x-a: b\0c'])),
  one('a header name with a space', get(['x a: b'])),
  one('a header without a colon', get(['nonsense'])),
  one('an empty header name', get([': b'])),
  one('a non-ASCII header name', get(['x-\xe4: b'])),
  one('a folded first header', 'GET / HTTP/1.1\r\n host: x\r\n\r\n'),
  one('an invalid chunk size', chat([TE], `zz\r\n${BODY}\r\n0\r\n\r\n`)),
  one('a negative chunk size', chat([TE], `-1\r\n${BODY}\r\n0\r\n\r\n`)),
  one('a chunk size above all integers', chat([TE], `FFFFFFFFFFFFFFFF1\r\n${BODY}\r\n0\r\n\r\n`)),
  one('a chunk above the size limit', chat([TE, close], `FFFFFFF\r\n${'x'.repeat(300_000)}`), [400, 413]),
  one('chunks terminated by LF', chat([TE], `${BODY.length.toString(16)}\n${BODY}\n0\n\n`)),
  one('a chunk longer than its size', chat([TE], `3\r\n${BODY}\r\n0\r\n\r\n`)),
  one('a chunk without a terminator', chat([TE], `${BODY.length.toString(16)}\r\n${BODY}0\r\n\r\n`)),
  one('a long chunk extension', chat([TE, close], `1;${'x'.repeat(40_000)}\r\n{\r\n0\r\n\r\n`), [400, 413]),
  one('garbage after a chunked body', chat([TE], `${chunked}\x00\x01garbage\r\n\r\n`), [200, 400], 2),
  one('a host in the trailers', chat([TE, close], `${chunked.slice(0, -2)}host: evil\r\n\r\n`), [200, 400]),
  one(
    'a credential only in the trailers',
    `POST /v1/chat/completions HTTP/1.1\r\nhost: x\r\n${TE}\r\n${close}\r\ncontent-type: application/json\r\n\r\n` +
      `${chunked.slice(0, -2)}${AUTH}\r\n\r\n`,
    [401],
  ),
  one('many trailers', chat([TE, close], `${chunked.slice(0, -2)}${'x-t: 1\r\n'.repeat(5_000)}\r\n`), [200, 400, 431]),
  one(
    'a valid request followed by an invalid one',
    `${get([]).replace(`${close}\r\n`, '')}NONSENSE\r\n\r\n`,
    [200, 400],
    2,
  ),
  one('an invalid request followed by a valid one', `NONSENSE\r\n\r\n${get([])}`),
  one('forty pipelined requests', get([]).replace(`${close}\r\n`, '').repeat(39) + get([]), [200], 40),
  one('TLS bytes', Buffer.from('16030100c8010000c40303', 'hex').toString('latin1') + '\0'.repeat(100)),
  one('an SSH banner', 'SSH-2.0-OpenSSH_9.0\r\n\r\n'),
  one('a Redis command', '*1\r\n$4\r\nPING\r\n\r\n'),
  one('the HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400, 404, 405]),
];

/** Malformed request lines. */
export const TARGETS: readonly MalformedRequest[] = [
  one('a lower-case method', get([]).replace('GET', 'get')),
  one('an unknown method', get([]).replace('GET', 'FROBNICATE')),
  one('CONNECT', `CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n${close}\r\n\r\n`, []),
  one('TRACE', get(['x-secret: echo-me']).replace('GET', 'TRACE'), [404, 405]),
  one('HTTP/0.9', 'GET /v1/models\r\n\r\n'),
  one('HTTP/2.0', get([], '/v1/models', 'HTTP/2.0'), [200, 400, 505]),
  one('HTTP/1.9', get([], '/v1/models', 'HTTP/1.9'), [200, 400, 505]),
  one('no Host', `GET /v1/models HTTP/1.1\r\n${AUTH}\r\n${close}\r\n\r\n`),
  one('two Hosts', get(['host: evil.example'])),
  one('two equal Hosts', get(['Host: x'])),
  one('two Hosts in HTTP/1.0', get(['host: evil.example'], '/v1/models', 'HTTP/1.0')),
  one('QUERY', get([]).replace('GET', 'QUERY'), [405]),
  one('QUERY of an unknown path', get([], '/v1/modelsx').replace('GET', 'QUERY'), [404]),
  one('an absolute URL of another host', get([], 'http://169.254.169.254/latest/meta-data/'), [400, 404]),
  one('an absolute URL with a served path', get([], 'http://evil.example/v1/models'), [200, 400, 404]),
  one('a file URL', get([], 'file:///etc/passwd'), [400, 404]),
  one('an asterisk', get([], '*').replace('GET', 'OPTIONS'), [400, 404, 405]),
  one('an authority', get([], 'evil.example:80'), [400, 404]),
  one('an empty target', get([], ''), [400, 404]),
  one('NUL in the target', get([], '/v1/models\0')),
  one('a space in the target', get([], '/v1/mod els')),
  one('non-ASCII bytes in the target', get([], '/v1/videos/\xff\xfe'), [400, 404]),
  one('a fragment', get([], '/v1/models#x'), [200, 400, 404]),
  one('a target above the header limit', get([], `/v1/videos/${'x'.repeat(40_000)}`), [431]),
  one('many parameters', get([], `/v1/videos?${'a=1&'.repeat(3_000)}`), [200, 400]),
];

function one(title: string, bytes: string, statuses: readonly number[] = REFUSED, max = 1): MalformedRequest {
  return { title, chunks: [bytes], statuses, max };
}
