import { randomUUID } from 'node:crypto';
import type { Logger } from '@sluice/telemetry';
import type { ContentStore } from './content-store.ts';
import type { ContentSettings } from './open-content-store.ts';
import { probeContent, type ProbeFailure } from './probe-content.ts';

/** Reports whether the content store works. */
export interface StorageMonitor {
  /** Returns the result of the last probe. */
  isAvailable(): boolean;
  close(): void;
}

export interface StorageMonitorOptions {
  store: ContentStore;
  /** The content settings, which name the store's location in messages. */
  settings: ContentSettings;
  logger: Pick<Logger, 'error' | 'info'>;
  /** Pause between probes, in milliseconds. */
  everyMs?: number;
  /** Timeout of a probe. A slower store is considered unavailable. */
  timeoutMs?: number;
}

/** The configured content store cannot be used. The message names the settings to correct. */
class StorageSettingsError extends Error {
  override name = 'StorageSettingsError';
}

const EVERY_MS = 15_000;
const TIMEOUT_MS = 5_000;

/**
 * Probes the content store periodically in the background, so that no request waits for a probe. Only one probe runs at
 * a time. Resolves after the first probe. An unavailable store is reported and probed again.
 * @throws {StorageSettingsError} if a configured store refuses the first probe
 */
export async function startStorageMonitor(options: StorageMonitorOptions): Promise<StorageMonitor> {
  const { store, settings, logger, everyMs = EVERY_MS, timeoutMs = TIMEOUT_MS } = options;
  // In the folder of unfinished writes, which is cleaned up, because a killed process may leave its probe behind.
  const key = `tmp/probe-${randomUUID()}`;
  let failure: ProbeFailure | undefined;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function report(next: ProbeFailure | undefined): void {
    if (isClosed) return;
    if (next?.code !== failure?.code || next?.step !== failure?.step) {
      if (next)
        logger.error({ code: 'storage_unavailable', step: next.step, reason: next.code }, describe(next, settings));
      else logger.info('content store available again');
    }
    failure = next;
  }

  function schedule(): void {
    if (!isClosed) timer = setTimeout(() => void probe().then(report), everyMs).unref();
  }

  /** The next probe starts only when this probe has ended, which may be long after its timeout. */
  function probe(): Promise<ProbeFailure | undefined> {
    const { result, ended } = probeContent(store, key, timeoutMs);
    void ended.then(schedule);
    return result;
  }

  const result = await probe();
  const isConfigured = settings.s3 !== undefined || settings.mustExist === true;
  if (result?.isPermanent === true && isConfigured) {
    close();
    throw new StorageSettingsError(describe(result, settings));
  }
  report(result);

  function close(): void {
    isClosed = true;
    clearTimeout(timer);
  }
  return { isAvailable: () => failure === undefined, close };
}

const PERMISSIONS = { write: 's3:PutObject', read: 's3:GetObject', delete: 's3:DeleteObject' } as const;
const VERBS = { write: 'write to', read: 'read from', delete: 'delete from' } as const;

/** Describes the failure and the remedy. */
function describe({ step, code }: ProbeFailure, { dir, s3 }: ContentSettings): string {
  if (!s3) {
    return `Cannot ${VERBS[step]} the content folder ${dir} (${code}). Check that \`content.dir\` names an existing folder that this process can write to.`;
  }
  // Remove credentials that the URL may contain.
  const at = s3.endpoint === undefined ? `in ${s3.region}` : `at ${new URL(s3.endpoint).origin}`;
  return (
    `Cannot ${VERBS[step]} the bucket \`${s3.bucket}\` ${at} (${code}). ` +
    `Check \`bucket\`, \`endpoint\`, \`region\`, and the credentials in \`content.s3\`; the account needs \`${PERMISSIONS[step]}\`.`
  );
}
