import { createRequire } from 'node:module';
import type PinoPretty from 'pino-pretty';
import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino, stdTimeFunctions } from 'pino';
import { isSecretField, CENSOR, redactText, redactValue } from './redact.ts';

export type { Logger } from 'pino';

/** How a process logs. */
export interface LoggerOptions {
  /** Least weight that is written: `fatal`, `error`, `warn`, `info`, `debug`, `trace` or `silent`. */
  level: string;
  /** The process that speaks, e.g. `api`. */
  name: string;
  /** Where lines go. Default: standard output, see {@link standardOutput}. */
  destination?: DestinationStream;
  /** Lines for people instead of JSON. Default: only when lines go to a terminal. */
  pretty?: boolean;
  /** Exact texts masked wherever they appear, such as the configured credentials. */
  secrets?: readonly string[];
}

/**
 * Makes a logger that masks credentials, prompts and bodies in fields, errors and texts; see {@link redactValue}.
 * Child loggers mask alike.
 */
export function createLogger({ level, name, destination, pretty, secrets = [] }: LoggerOptions): Logger {
  const { out, flush } = destination ? { out: destination, flush: () => undefined } : standardOutput();
  const readable = pretty ?? (destination === undefined && process.stdout.isTTY);
  const redactFields = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]): [string, unknown] => [
        field,
        isSecretField(field) && value !== undefined ? CENSOR : redactValue(value, secrets),
      ]),
    );
  const options: PinoOptions = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    // Formatters come first and have made errors plain already.
    serializers: { err: (error: unknown) => error },
    formatters: {
      level: (label) => ({ level: label }),
      bindings: redactFields,
      log: redactFields,
    },
    hooks: {
      logMethod(args, method, weight) {
        const [first, ...rest]: unknown[] = args;
        const error = first instanceof Error ? first : errorOf(first);
        const subject = first instanceof Error ? { err: first } : first;
        // The library would take an error's message as the line's text, past the formatters.
        const texts = error !== undefined && rest[0] === undefined ? [error.message] : rest;
        const told = typeof subject === 'string' ? redactText(subject, secrets) : subject;
        Reflect.apply(method, this, [told, ...texts.map((text) => redactValue(text, secrets))]);
        if (weight >= WARN) flush();
      },
    },
  };
  const colorize = destination === undefined && process.stdout.isTTY;
  const logger = pino(options, readable ? prettyDestination(out, colorize) : out);
  // The library drops the formatter of bindings for child loggers; children inherit this method.
  const makeChild: unknown = Reflect.get(logger, 'child');
  if (typeof makeChild !== 'function') return logger;
  Object.defineProperty(logger, 'child', {
    value(this: Logger, bindings: Record<string, unknown>, childOptions?: object): unknown {
      return Reflect.apply(makeChild, this, [redactFields(bindings), childOptions]);
    },
  });
  return logger;
}

const WARN = 40;
/** Lines are gathered up to this length, and no longer than this time. */
const GATHERED_BYTES = 4_096;
const GATHERED_MS = 100;

/**
 * Standard output, written by this thread: several lines at once, since each write costs as much as all else about a line.
 * A warning and whatever is graver goes out at once, with all before it, and the rest when the process ends; only one that
 * is killed outright loses its last tenth of a second.
 */
function standardOutput(): { out: DestinationStream; flush: () => void } {
  const out = pino.destination({ fd: 1, sync: true, minLength: GATHERED_BYTES, periodicFlush: GATHERED_MS });
  const flush = () => out.flushSync();
  process.on('exit', flush);
  return { out, flush };
}

function errorOf(subject: unknown): Error | undefined {
  if (typeof subject !== 'object' || subject === null || !('err' in subject)) return undefined;
  return subject.err instanceof Error ? subject.err : undefined;
}

/** Formats in this process: the library's own transport would start a thread and write late. */
function prettyDestination(out: DestinationStream, colorize: boolean): DestinationStream {
  // Loaded only here: processes that log JSON never pay for it.
  const require = createRequire(import.meta.url);
  // What require returns has no type of its own; this is the module's.
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  const format = prettyFactory({
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    colorize,
  });
  return { write: (line) => out.write(format(line)) };
}
