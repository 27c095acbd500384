import { cutText } from '@sluice/canonical';

/** Longest reason that is passed on, in characters. */
const LONGEST = 300;
/** Most that is read, in characters: what follows takes time that grows with the square of the length. */
const MAX_READ = 2000;

const URLS = /\b[a-z][a-z0-9+.-]*:\/\/[^\s"'<>)\]]*/gi;
/** What hosts end with, where no path follows that would tell them from other words with dots. */
const ENDINGS =
  'com|net|org|io|ai|cn|dev|app|cloud|co|internal|local|run|media|delivery|tv|sh|me|xyz|us|eu|top|vip|site';
/** Hosts without a scheme; `input.media` is a field. */
const HOSTS = new RegExp(
  String.raw`\b(?!(?:body|inputs?|parameters|params|request)\.)(?:[a-z0-9-]+\.)+` +
    String.raw`(?:[a-z][a-z0-9-]+(?::\d+)?/[^\s"'<>)\]]*|(?:${ENDINGS})\b(?::\d+)?)`,
  'gi',
);
const EMAILS = /\b[\w.+-]+@[\w-]+(?:\.[\w-]+)*/g;
const ADDRESSES = /\b\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?\b|\[[0-9a-f:.]*:[0-9a-f:.]*\](?::\d+)?/gi;
const KEYS = /\b(?:bearer|basic|token)\s+[\w.~+/=-]{8,}|\b(?:sk|pk|rk|ak)-[\w*.-]{4,}/gi;
/** `video_…`, `req-…`: a known first word and a rest with a digit in it, so that words such as `task_failed` stay. */
const PREFIXED_IDS =
  /\b(?:req|request|trace|org|proj|project|user|account|acct|video|vid|task|job|file|gen|cgt)[-_](?=[\w-]*\d)[\w-]{3,}/gi;
/** A long run of letters and digits. */
const LONG_IDS = /\b(?=[\w-]*\d)[\w-]{16,}/g;

/** Stands for a name that stays, while all else is looked at; texts that have it themselves lose it before. */
const KEPT = '\uE000';

/**
 * Makes an upstream's words fit for a client: no URLs, hosts, addresses, keys and ids, one line, 300 characters.
 * @param hide Words that must not show whatever they look like, e.g. the API key and the upstream's id of the job.
 * @param name A name that may show even when it looks like an id: the model's. Only as a word by itself, so that what holds
 *   it is judged as ever.
 */
export function sanitiseReason(text: string, hide: readonly string[] = [], name?: string): string {
  // First of all, so that nothing can hide behind a control character.
  let clean = text.replaceAll(/\s+/g, ' ').replaceAll(/[\p{Cc}\p{Cf}\uE000]/gu, '');
  for (const word of hide) if (word.length > 2) clean = clean.replaceAll(word, '[hidden]');
  if (name !== undefined && name !== '') clean = clean.replaceAll(asWord(name), `$1${KEPT}`);
  clean = beginningOf(clean)
    .replaceAll(URLS, '[link]')
    .replaceAll(EMAILS, '[hidden]')
    .replaceAll(HOSTS, '[link]')
    .replaceAll(ADDRESSES, '[hidden]')
    .replaceAll(KEYS, '[hidden]')
    .replaceAll(PREFIXED_IDS, '[id]')
    .replaceAll(LONG_IDS, '[id]')
    .replaceAll(KEPT, () => name ?? '')
    .trim();
  const whole = clean.toWellFormed();
  if (whole.length <= LONGEST) return whole;
  return `${cutText(whole, LONGEST - 1).trimEnd()}…`;
}

/** A name where neither a path, an address nor a longer word has it; Google's may have `models/` before it. */
function asWord(name: string): RegExp {
  const literal = name.replaceAll(/[^\w\s]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\w./:@=-])(models/)?${literal}(?![\w/@=-]|[.:]\w)`, 'g');
}

/** As much of a text as is read, without its last word when that was cut: half a secret is not known as one. */
function beginningOf(text: string): string {
  if (text.length <= MAX_READ) return text;
  let end = MAX_READ;
  while (end > 0 && /[\x21-\x7e]/.test(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
