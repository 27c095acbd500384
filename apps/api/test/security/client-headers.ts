/** Headers that identify a client. */
export const CLIENT_HEADERS = {
  'x-api-key': 'client-secret-x-api-key',
  'api-key': 'client-secret-api-key',
  'x-gen-api-key': 'client-secret-gen',
  'x-goog-api-key': 'client-secret-goog',
  cookie: 'session=client-secret-cookie',
  'proxy-authorization': 'Basic client-secret-proxy',
  'x-forwarded-for': '203.0.113.77',
  'openai-organization': 'client-secret-organization',
  'openai-project': 'client-secret-project',
  'x-amz-security-token': 'client-secret-token',
};

/** Matches the value of each of these headers. */
export const CLIENT_SECRET = /client-secret|203\.0\.113\.77/;

/** Headers that a response may contain in addition to rate-limit headers. */
const ALLOWED = new Set(
  [
    'content-type',
    'content-length',
    'date',
    'connection',
    'keep-alive',
    'transfer-encoding',
    'cache-control',
    'vary',
  ].concat(
    ['x-request-id', 'request-id', 'x-should-retry', 'retry-after', 'retry-after-ms', 'openai-poll-after-ms'],
    [
      'openai-processing-ms',
      'openai-model',
      'openai-version',
      'x-sluice-dropped',
      'x-sluice-upstream',
      'x-sluice-model',
      'x-sluice-attempts',
      'www-authenticate',
    ],
    [
      'allow',
      'etag',
      'accept-ranges',
      'content-range',
      'content-disposition',
      'location',
      'last-modified',
      'x-accel-buffering',
    ],
    [
      'x-content-type-options',
      'sec-websocket-version',
      'content-security-policy',
      'preference-applied',
      'idempotent-replayed',
      'upgrade',
    ],
  ),
);

/** Returns the response headers that are not allowed. */
export function unexpectedHeaders(names: Iterable<string>): string[] {
  return [...names].filter((name) => !ALLOWED.has(name) && !/^(?:x|anthropic)-ratelimit-/.test(name));
}
