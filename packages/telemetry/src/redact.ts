/** Replaces a secret. */
export const CENSOR = '[redacted]';

/** Fields masked in log lines and logged errors, at any depth and in any case. */
const SECRET_FIELDS = new Set(
  [
    ['authorization', 'proxy_authorization', 'cookie', 'set_cookie', 'x_api_key', 'x_gen_api_key', 'x_goog_api_key'],
    ['key', 'api_key', 'access_key', 'secret_key', 'secret', 'token', 'access_token', 'password', 'signature'],
    ['prompt', 'negative_prompt', 'input', 'messages', 'body', 'raw_body', 'request_body', 'response_body'],
  ].flatMap((names) => names.map(fold)),
);

const SECRET_PARAMETERS = new Set(
  ['key', 'api_key', 'access_key', 'secret_key', 'token', 'access_token', 'signature', 'x-amz-signature', 'sig'].map(
    fold,
  ),
);

/** Cache by field name. Names come from our own code and from libraries, so there are few. */
const judged = new Map<string, boolean>();
const MAX_JUDGED = 1_000;

/** Whether a field's value must not be logged. `apiKey`, `api_key`, and `API-KEY` are the same name. */
export function isSecretField(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_FIELDS.has(fold(name));
  if (judged.size < MAX_JUDGED) judged.set(name, isSecret);
  return isSecret;
}

/**
 * Removes user name, password, fragment, and secret query parameters such as `?key=` from a URL or a path with a query.
 * A text that is not a URL loses its query.
 */
export function redactUrl(url: string): string {
  const [, start = '', query] = /^([^?#]*)(?:\?([^#]*))?/s.exec(url) ?? [];
  const bare = start.replace(/^([a-z][a-z0-9+.-]*:)?\/\/[^/]*@/i, '$1//');
  if (query === undefined) return bare;
  const parts = query.split('&').map((part) => {
    const name = part.split('=', 1)[0] ?? '';
    return SECRET_PARAMETERS.has(fold(decode(name))) ? `${name}=${CENSOR}` : part;
  });
  return `${bare}?${parts.join('&')}`;
}

const TOKENS: readonly (readonly [RegExp, string])[] = [
  [/(authorization["']?\s*[:=]\s*["']?(?:(?:basic|bearer)\s+)?)[^\s"',;]+/gi, `$1${CENSOR}`],
  [/\b(bearer)\s+(?!\[redacted\])[\w.~+/=-]{6,}/gi, `$1 ${CENSOR}`],
  // sk-…, pk-…, rk_…: keys of most vendors
  [/\b(?:sk|pk|rk|ak)[-_][\w-]{6,}/gi, CENSOR],
  // whsec_…: secrets of Standard Webhooks
  [/\bwhsec_[\w+/=-]{6,}/g, CENSOR],
  // Google's AIza…
  [/\bAIza[\w-]{20,}/g, CENSOR],
  // JSON web tokens
  [/\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g, CENSOR],
  // ?key=… in a quoted URL
  [/([?&](?:key|api_key|access_key|token|access_token|signature|sig)=)[^&\s"'<>]+/gi, `$1${CENSOR}`],
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1'],
];

/** Matches every text that any of {@link TOKENS} matches. Most texts match nothing and skip seven searches. */
const SUSPICIOUS = /authorization|bearer|[spra]k[-_]|whsec_|AIza|eyJ|[?&]\w+=|:\/\//i;

/**
 * Masks the given secrets and credential-like parts of free text, such as a vendor's error message.
 * @param secrets exact texts; those under four characters are ignored because they would match ordinary words
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  const held = secrets.filter((secret) => secret.length >= 4 && text.includes(secret));
  // Longest first: a secret may contain another one.
  if (held.length > 1) held.sort((one, other) => other.length - one.length);
  for (const secret of held) redacted = redacted.replaceAll(secret, CENSOR);
  if (!SUSPICIOUS.test(redacted)) return redacted;
  for (const [pattern, replacement] of TOKENS) redacted = redacted.replaceAll(pattern, replacement);
  return redacted;
}

const DEEPEST = 6;

/**
 * Copies a value for the log. Masks secret fields, redacts texts, replaces bytes by their count, and cuts cycles and
 * deep nesting. Errors keep name, message, code, stack, and cause.
 */
export function redactValue(value: unknown, secrets: readonly string[] = []): unknown {
  return redactDeep(value, secrets, 0, new Set());
}

function redactDeep(value: unknown, secrets: readonly string[], depth: number, above: ReadonlySet<object>): unknown {
  if (typeof value === 'string') return redactText(value, secrets);
  if (typeof value === 'bigint') return value.toString();
  if (typeof value === 'function' || typeof value === 'symbol') return undefined;
  if (typeof value !== 'object' || value === null) return value;
  if (above.has(value)) return '[circular]';
  if (depth >= DEEPEST) return '[deep]';
  if (value instanceof Date) return value.toJSON();
  if (value instanceof URL) return redactText(redactUrl(value.href), secrets);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  const exchange = exchangeFields(value);
  if (exchange !== undefined) return exchange;
  const around = new Set(above).add(value);
  if (Array.isArray(value)) return value.map((item) => redactDeep(item, secrets, depth + 1, around));
  const fields = value instanceof Error ? errorFields(value) : Object.entries(value);
  return Object.fromEntries(
    fields.map(([name, item]): [string, unknown] => [
      name,
      isSecretField(name) && item !== undefined ? CENSOR : redactDeep(item, secrets, depth + 1, around),
    ]),
  );
}

/** Requests and responses reference sockets, headers, and bodies. Only the fields that identify them are logged. */
function exchangeFields(value: object): Record<string, unknown> | undefined {
  if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
  const { method, url, statusCode }: { method?: unknown; url?: unknown; statusCode?: unknown } = value;
  if (typeof method === 'string' && typeof url === 'string') return { method, url: redactUrl(url) };
  return typeof statusCode === 'number' && 'getHeader' in value ? { statusCode } : undefined;
}

/** Vendors' libraries attach whole requests to the other fields of an error. */
function errorFields(error: Error): [string, unknown][] {
  const fields: [string, unknown][] = [
    ['type', error.name],
    ['message', error.message],
    ['stack', error.stack],
  ];
  for (const name of ['code', 'status', 'errno', 'syscall']) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' || typeof value === 'number') fields.push([name, value]);
  }
  if (error.cause !== undefined) fields.push(['cause', error.cause]);
  if (error instanceof AggregateError) fields.push(['errors', error.errors.slice(0, 5)]);
  return fields;
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
