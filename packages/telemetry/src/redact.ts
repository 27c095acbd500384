import { createHash } from 'node:crypto';

export const CENSOR = '[redacted]';

/** Fields masked at any depth. Case is ignored. */
const SECRET_FIELDS = new Set(
  [
    ['authorization', 'proxy_authorization', 'cookie', 'set_cookie', 'x_api_key', 'x_gen_api_key', 'x_goog_api_key'],
    ['key', 'api_key', 'access_key', 'secret_key', 'secret', 'token', 'access_token', 'password', 'signature'],
    ['client_secret', 'id_token', 'refresh_token', 'code_verifier'],
    ['prompt', 'negative_prompt', 'input', 'messages', 'body', 'raw_body', 'request_body', 'response_body'],
  ].flatMap((names) => names.map(fold)),
);

const SECRET_PARAMETERS = new Set(
  [
    ['key', 'api_key', 'access_key', 'secret_key', 'token', 'access_token', 'signature', 'x-amz-signature', 'sig'],
    // Of the callback of single sign-on.
    ['code', 'state'],
  ].flatMap((names) => names.map(fold)),
);

/** Caches results by field name. There are few names, because they come from this code and from libraries. */
const isSecretByName = new Map<string, boolean>();
const MAX_CACHED_NAMES = 1_000;

/** Treats `apiKey`, `api_key`, and `API-KEY` as the same name. */
export function isSecretField(name: string): boolean {
  const known = isSecretByName.get(name);
  if (known !== undefined) return known;
  const isSecret = SECRET_FIELDS.has(fold(name));
  if (isSecretByName.size < MAX_CACHED_NAMES) isSecretByName.set(name, isSecret);
  return isSecret;
}

/** Removes the user name, the password, the fragment, and secret query parameters (e.g. `?key=`) from a URL or path. */
export function redactUrl(url: string): string {
  if (!/[?#@]/.test(url)) return url;
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
  [/\b(?:sk|pk|rk|ak)[-_][\w-]{6,}/gi, CENSOR], // most vendors' keys
  [/\bwhsec_[\w+/=-]{6,}/g, CENSOR], // Standard Webhooks secrets
  [/\bAIza[\w-]{20,}/g, CENSOR], // Google keys
  [/\beyJ[\w-]{6,}\.[\w-]+(?:\.[\w-]*)?/g, CENSOR], // JSON web tokens
  // ?key=… inside a URL
  [/([?&](?:key|api_key|access_key|token|access_token|signature|sig)=)[^&\s"'<>]+/gi, `$1${CENSOR}`],
  // scheme://user:password@host
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/@"']+@/gi, '$1'],
];

/**
 * Matches every text that any of {@link TOKENS} matches. Most texts do not match, so the slower searches are skipped.
 */
const SUSPICIOUS = /authorization|bearer|[spra]k[-_]|whsec_|AIza|eyJ|[?&]\w+=|:\/\//i;

/**
 * Masks secrets and text that looks like a credential (e.g. in a vendor's error message).
 * @param secrets exact texts; texts shorter than four characters are ignored because they would match ordinary words
 */
export function redactText(text: string, secrets: readonly string[] = []): string {
  let redacted = text;
  let present: string[] | undefined;
  for (const secret of secrets) if (secret.length >= 4 && text.includes(secret)) (present ??= []).push(secret);
  // Masks the longest secret first, because one secret may contain another.
  present?.sort((one, other) => other.length - one.length);
  for (const secret of present ?? []) redacted = redacted.replaceAll(secret, CENSOR);
  if (!SUSPICIOUS.test(redacted)) return redacted;
  for (const [pattern, replacement] of TOKENS) redacted = redacted.replaceAll(pattern, replacement);
  return redacted;
}

const MAX_DEPTH = 6;

/**
 * Copies a value for the log. Masks secrets, replaces bytes with their count, and truncates cycles and deep nesting.
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
  if (depth >= MAX_DEPTH) return '[deep]';
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

/** Returns the fields that identify a request or response. Its sockets, headers, and bodies are not logged. */
function exchangeFields(value: object): Record<string, unknown> | undefined {
  if (Object.getPrototypeOf(value) === Object.prototype) return undefined;
  const { method, url, statusCode }: { method?: unknown; url?: unknown; statusCode?: unknown } = value;
  if (typeof method === 'string' && typeof url === 'string') return { method, url: redactUrl(url) };
  return typeof statusCode === 'number' && 'getHeader' in value ? { statusCode } : undefined;
}

/** Other fields are dropped, because vendors' libraries attach entire requests to errors. */
function errorFields(error: Error): [string, unknown][] {
  const quotes = mayQuoteInput(error);
  const fields: [string, unknown][] = [
    ['type', error.name],
    quotes ? ['message_hash', messageHash(error.message)] : ['message', error.message],
    ['stack', quotes ? /\n\s+at .*/s.exec(error.stack ?? '')?.[0].trim() : error.stack],
  ];
  for (const name of ['code', 'status', 'errno', 'syscall']) {
    const value: unknown = Reflect.get(error, name);
    if (typeof value === 'string' || typeof value === 'number') fields.push([name, value]);
  }
  if (error.cause !== undefined) fields.push(['cause', error.cause]);
  if (error instanceof AggregateError) fields.push(['errors', error.errors.slice(0, 5)]);
  return fields;
}

/** Errors whose message may quote the prompt: they contain a vendor's message, or the input of `JSON.parse`. */
const QUOTING = new Set(['GatewayError', 'AttemptError', 'UpstreamRefusalError', 'SyntaxError']);

export function mayQuoteInput({ name }: Error): boolean {
  return QUOTING.has(name);
}

/** Replaces a message that may quote a prompt. Equal messages have equal hashes of 12 hexadecimal digits. */
export function messageHash(message: string): string {
  return createHash('sha256').update(message).digest('hex').slice(0, 12);
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
