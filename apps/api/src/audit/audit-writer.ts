import type { Logger, Metrics } from '@sluice/telemetry';
import type { AuditLog, Change } from './audit-log.ts';

export interface AuditWriterDeps {
  auditLog: Pick<AuditLog, 'add'>;
  logger: Logger;
  metrics: Pick<Metrics, 'auditLost'>;
}

/** Writes entries in the background, because no change waits for its entry. */
export interface AuditWriter {
  /**
   * Adds an entry. If it is lost, logs and counts it.
   * @param isWanted called first; if it resolves to false, no entry is added
   */
  add(this: void, change: Change, isWanted?: () => Promise<boolean>): void;
  /** Waits for the entries in progress. */
  flush(this: void): Promise<void>;
}

export function createAuditWriter({ auditLog, logger, metrics }: AuditWriterDeps): AuditWriter {
  const pending = new Set<Promise<void>>();

  async function write(change: Change, isWanted: () => Promise<boolean>): Promise<void> {
    try {
      if (await isWanted()) await auditLog.add(change);
    } catch (error) {
      metrics.auditLost.inc();
      const { operation, target, actor, status, request_id } = change;
      const fields = { err: error, operation, target, actor: actor.name, status, request_id };
      logger.error(fields, 'audit log unavailable; entry lost');
    }
  }

  return {
    add(change, isWanted = async () => true) {
      const writing = write(change, isWanted);
      pending.add(writing);
      void writing.finally(() => pending.delete(writing));
    },
    async flush() {
      await Promise.all(pending);
    },
  };
}
