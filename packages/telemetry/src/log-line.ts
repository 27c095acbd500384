import { type DestinationStream, type Logger, symbols } from 'pino';
import { redactText, redactValue } from './redact.ts';

/** The secrets that a logger and its children mask. */
const SECRETS = Symbol('secrets');

/** A logger forgets the oldest secrets above this number. */
const MAX_SECRETS = 2_000;

export function rememberSecrets(logger: Logger, secrets: string[]): void {
  Object.defineProperty(logger, SECRETS, { value: secrets });
}

/** Masks further secrets, also in children. Earlier ones stay masked, because requests in progress may use them. */
export function maskSecrets(logger: Logger, secrets: readonly string[]): void {
  // The cast is safe because only `rememberSecrets` sets this property.
  const known = Reflect.get(logger, SECRETS) as string[] | undefined;
  if (!known) return;
  const all = new Set([...secrets, ...known]);
  known.splice(0, known.length, ...[...all].slice(0, MAX_SECRETS));
}

/**
 * A log line with known fields, for the line of each request. A logger's own methods copy and check every field of
 * unknown objects, which takes several times as long. The field names must need no quoting, and must not be secret.
 */
export class LogLine {
  readonly #logger: Logger;
  readonly #secrets: readonly string[];
  #fields = '';

  /** @param logger a logger that `createLogger` returned, or a child of it */
  constructor(logger: Logger) {
    this.#logger = logger;
    // The cast is safe because only `rememberSecrets` sets this property.
    this.#secrets = (Reflect.get(logger, SECRETS) as readonly string[] | undefined) ?? [];
  }

  /** Adds a text from this code or the configuration, a number, or a flag. Omits it if it is undefined. */
  add(name: string, value: string | number | boolean | undefined): this {
    if (value !== undefined) this.#fields += `,"${name}":${JSON.stringify(value)}`;
    return this;
  }

  /** Adds a text that a client or a vendor may have chosen. Masks credentials in it. */
  addForeign(name: string, value: string | undefined): this {
    return this.add(name, value === undefined ? undefined : redactText(value, this.#secrets));
  }

  /** Adds an object that contains only numbers and flags. */
  addNumbers(name: string, value: object | undefined): this {
    if (value !== undefined) this.#fields += `,"${name}":${JSON.stringify(value)}`;
    return this;
  }

  /** Adds each field of an object with unknown values. Masks credentials, prompts, and bodies in them. */
  addFields(fields: object): this {
    const json = JSON.stringify(redactValue(fields, this.#secrets));
    if (json.length > 2) this.#fields += `,${json.slice(1, -1)}`;
    return this;
  }

  /** Writes the line if the logger's level includes it. @param message needs no quoting */
  write(level: 'debug' | 'info', message: string): void {
    if (!this.#logger.isLevelEnabled(level)) return;
    // The casts are safe because pino stores these members under its public symbols.
    const stream = Reflect.get(this.#logger, symbols.streamSym) as DestinationStream;
    const bindings = Reflect.get(this.#logger, symbols.chindingsSym) as string;
    const time = new Date().toISOString();
    stream.write(`{"level":"${level}","time":"${time}"${bindings}${this.#fields},"msg":"${message}"}\n`);
  }
}
