import { ContentMissingError, type ContentStore, ContentUnavailableError } from './content-store.ts';

type ProbeStep = 'write' | 'read' | 'delete';

/** Why a probe failed. */
export interface ProbeFailure {
  step: ProbeStep;
  /** See {@link ContentUnavailableError.code}. */
  code: string;
  /** Whether the settings are wrong, so that a retry does not help. */
  isPermanent: boolean;
}

export interface Probe {
  /** Undefined if all steps succeed. Never rejects. */
  result: Promise<ProbeFailure | undefined>;
  /** Resolves when no call is in flight, which may be after `result` resolves. */
  ended: Promise<void>;
}

const PROBE = Buffer.from('Sluice storage probe\n');

/** Writes, reads, and removes a small blob. */
export function probeContent(
  store: Pick<ContentStore, 'write' | 'open' | 'remove'>,
  key: string,
  timeoutMs: number,
): Probe {
  let step: ProbeStep = 'write';

  async function run(): Promise<ProbeFailure | undefined> {
    try {
      await store.write(key, once(PROBE), PROBE.byteLength, AbortSignal.timeout(timeoutMs));
      step = 'read';
      const parts: Uint8Array[] = [];
      const stream = await store.open(key);
      // The cast is safe because the store's streams yield bytes.
      for await (const part of stream as AsyncIterable<Uint8Array>) parts.push(part);
      if (!PROBE.equals(Buffer.concat(parts))) return { step, code: 'wrong_content', isPermanent: false };
      step = 'delete';
      await store.remove(key);
      return undefined;
    } catch (error) {
      return { step, ...reasonOf(error) };
    }
  }

  const running = run();
  const timeout = Promise.withResolvers<ProbeFailure>();
  const timer = setTimeout(() => timeout.resolve({ step, code: 'TimeoutError', isPermanent: false }), timeoutMs);
  const ended = running.then(() => clearTimeout(timer));
  return { result: Promise.race([running, timeout.promise]), ended };
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

function reasonOf(error: unknown): Pick<ProbeFailure, 'code' | 'isPermanent'> {
  if (error instanceof ContentUnavailableError) return { code: error.code, isPermanent: isPermanent(error) };
  if (error instanceof ContentMissingError) return { code: 'missing_content', isPermanent: false };
  return { code: error instanceof Error ? error.name : 'unknown', isPermanent: false };
}

/** System and client errors that a retry cannot fix (unlike a full disk or an unreachable host). */
const PERMANENT_CODES = new Set([
  'EACCES',
  'EEXIST',
  'ELOOP',
  'ENAMETOOLONG',
  'ENOENT',
  'ENOTDIR',
  'EPERM',
  'EROFS',
  'CredentialsProviderError',
]);
/** HTTP statuses of a store after which a retry may succeed. */
const RETRYABLE_STATUSES = new Set([408, 409, 425, 429]);
const RETRYABLE_CODES = new Set(['RequestTimeout', 'RequestTimeTooSkewed']);

function isPermanent({ code, cause }: ContentUnavailableError): boolean {
  if (PERMANENT_CODES.has(code)) return true;
  // The cast is safe because the S3 client's errors have this format.
  const { $metadata } = (cause ?? {}) as { $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode ?? 0;
  return status >= 300 && status < 500 && !RETRYABLE_STATUSES.has(status) && !RETRYABLE_CODES.has(code);
}
