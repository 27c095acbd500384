import { cutText } from '@sluice/canonical';

/** Maximum length of a returned reason, in characters. */
const MAX_LENGTH = 300;
/** Maximum number of characters to process, because the patterns below take quadratic time. */
const MAX_READ = 2000;

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*/gi;
/** Top-level domains that identify a host without a path. */
const ENDINGS =
  'com|net|org|io|ai|cn|dev|app|cloud|co|internal|local|run|media|delivery|tv|sh|me|xyz|us|eu|top|vip|site';
/** Matches hosts without a scheme. Does not match field names such as `input.media`. */
const HOSTS = new RegExp(
  String.raw`\b(?!(?:body|inputs?|parameters|params|request)\.)(?:[a-z0-9-]+\.)+` +
    String.raw`(?:[a-z][a-z0-9-]+(?::\d+)?/[^\s"'<>)\]]*|(?:${ENDINGS})\b(?::\d+)?)`,
  'gi',
);
/** Matches names of resources at AWS, which contain the account's number. */
const ARNS = /\barn:aws[a-z-]*:[^\s"'<>)\]]*/gi;
const EMAILS = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g;
const ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:.]*:[0-9a-f:.]*\](?::\d+)?/gi;
const KEYS = /\b(?:bearer|basic|token)\s+[\w.~+/=-]{8,}|\b(?:sk|pk|rk|ak)-[\w*.-]{4,}/gi;
/** Matches ids: a known prefix, followed by text with a digit (e.g. `video_…`, `req-…`), but not `task_failed`. */
const PREFIXED_IDS =
  /\b(?:req|request|trace|org|proj|project|user|account|acct|video|vid|task|job|file|gen|cgt)[-_](?=[\w-]*\d)[\w-]{3,}/gi;
const LONG_IDS = /\b(?=[\w-]*\d)[\w-]{16,}/g;

/** Replaces the model's name during redaction. It is removed from the input first. */
const PLACEHOLDER = '\uE000';

/**
 * Redacts an upstream's text for clients. Returns one line of at most 300 characters, without URLs, hosts, addresses,
 * keys, or ids.
 * @param hide strings to remove (e.g. the API key and the upstream's job id)
 * @param name the model's name, which is kept as a separate word, even if it looks like an id
 */
export function sanitizeReason(text: string, hide: readonly string[] = [], name?: string): string {
  // Remove control characters first, so that they cannot hide a match.
  let clean = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\uE000]/gu, '');
  for (const secret of hide) if (secret.length > 2) clean = clean.replaceAll(secret, '[hidden]');
  if (name !== undefined && name !== '') clean = clean.replaceAll(asWord(name), `$1${PLACEHOLDER}`);
  clean = beginningOf(clean)
    .replaceAll(URLS, '[link]')
    .replaceAll(ARNS, '[id]')
    .replaceAll(EMAILS, '[hidden]')
    .replaceAll(HOSTS, '[link]')
    .replaceAll(ADDRESSES, '[hidden]')
    .replaceAll(KEYS, '[hidden]')
    .replaceAll(PREFIXED_IDS, '[id]')
    .replaceAll(LONG_IDS, '[id]')
    .replaceAll(PLACEHOLDER, () => name ?? '')
    .trim();
  const line = clean.toWellFormed();
  if (line.length <= MAX_LENGTH) return line;
  return `${cutText(line, MAX_LENGTH - 1).trimEnd()}…`;
}

/** Matches a name that is not part of a path, an address, or a longer word. Google's names may start with `models/`. */
function asWord(name: string): RegExp {
  const literal = name.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w./:@=-])(models/)?${literal}(?![\w/@=-]|[.:]\w)`, 'g');
}

/** Returns the text up to its last complete word, because an incomplete secret would not be recognized. */
function beginningOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  let end = MAX_READ;
  while (end > 0 && /[\x21-\x7e]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
