import { createRequire } from 'node:module';
import type PinoPretty from 'pino-pretty';
import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino, stdTimeFunctions } from 'pino';
import { rememberSecrets } from './log-line.ts';
import { isSecretField, CENSOR, mayQuoteInput, redactText, redactValue } from './redact.ts';

export type { Logger } from 'pino';

export interface LoggerOptions {
  /** Minimum level: `fatal`, `error`, `warn`, `info`, `debug`, `trace`, or `silent`. */
  level: string;
  name: string;
  destination?: DestinationStream; // By default, {@link standardOutput}.
  /** Writes human-readable lines instead of JSON. By default, only on a terminal. */
  pretty?: boolean;
  /** Exact texts to mask (e.g. configured credentials). */
  secrets?: readonly string[];
}

/** Creates a logger that masks credentials, prompts, and bodies. See {@link redactValue}. Child loggers do the same. */
export function createLogger({ level, name, destination, pretty, ...options }: LoggerOptions): Logger {
  // A copy, because `maskSecrets` extends it.
  const secrets = [...(options.secrets ?? [])];
  const { out, flush } = destination ? { out: destination, flush: () => undefined } : standardOutput();
  const readable = pretty ?? (destination === undefined && process.stdout.isTTY);
  const redactFields = (fields: Record<string, unknown>): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([field, value]): [string, unknown] => [
        field,
        isSecretField(field) && value !== undefined ? CENSOR : redactValue(value, secrets),
      ]),
    );
  const pinoOptions: PinoOptions = {
    level,
    name,
    timestamp: stdTimeFunctions.isoTime,
    // The formatters run first and have already converted errors.
    serializers: { err: (error: unknown) => error },
    formatters: {
      level: (label) => ({ level: label }),
      bindings: redactFields,
      log: redactFields,
    },
    hooks: {
      logMethod(args, method, levelNumber) {
        const [first, ...rest]: unknown[] = args;
        const error = first instanceof Error ? first : errorOf(first);
        const subject = first instanceof Error ? { err: first } : first;
        // If there is no text, pino would log the error's message without running the formatters.
        const texts = error !== undefined && rest[0] === undefined ? [textOf(error)] : rest;
        const redacted = typeof subject === 'string' ? redactText(subject, secrets) : subject;
        Reflect.apply(method, this, [redacted, ...texts.map((text) => redactValue(text, secrets))]);
        if (levelNumber >= WARN) flush();
      },
    },
  };
  const colorize = destination === undefined && process.stdout.isTTY;
  const logger = pino(pinoOptions, readable ? prettyDestination(out, colorize) : out);
  rememberSecrets(logger, secrets);
  // pino drops the bindings formatter for child loggers. Children inherit this method instead.
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
/** Lines are buffered until they reach this size or this age. */
const BUFFER_BYTES = 4_096;
const BUFFER_MS = 100;

/**
 * Writes lines in batches, because each write is expensive. A warning or error flushes all lines before it, and so does
 * the process exit. Only a killed process loses the lines of its last tenth of a second.
 */
function standardOutput(): BufferedOutput {
  return (processOutput ??= openStandardOutput());
}

interface BufferedOutput {
  out: DestinationStream;
  flush: () => void;
}

/** Shared by all loggers, so that their lines stay in order. */
let processOutput: BufferedOutput | undefined;

function openStandardOutput(): BufferedOutput {
  const out = pino.destination({ fd: 1, sync: true, minLength: BUFFER_BYTES, periodicFlush: BUFFER_MS });
  const flush = () => out.flushSync();
  process.on('exit', flush);
  return { out, flush };
}

function textOf(error: Error): string {
  return mayQuoteInput(error) ? error.name : error.message;
}

function errorOf(subject: unknown): Error | undefined {
  if (typeof subject !== 'object' || subject === null || !('err' in subject)) return undefined;
  return subject.err instanceof Error ? subject.err : undefined;
}

/** Formats lines in this process. pino's own transport would start a thread and write later. */
function prettyDestination(out: DestinationStream, colorize: boolean): DestinationStream {
  // Loaded lazily, because processes that log JSON do not need it.
  const require = createRequire(import.meta.url);
  // The cast is needed because `require` is untyped.
  const { prettyFactory } = require('pino-pretty') as typeof PinoPretty;
  const format = prettyFactory({
    singleLine: true,
    ignore: 'pid,hostname',
    translateTime: 'SYS:HH:MM:ss',
    colorize,
  });
  return { write: (line) => out.write(format(line)) };
}
