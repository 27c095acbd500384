import type { StorageMonitor } from '@sluice/tasks';

export function storageMetrics(storage: Pick<StorageMonitor, 'isAvailable'>): string {
  return [
    "# HELP sluice_storage_available Whether this process' last probe of the content store succeeded.",
    '# TYPE sluice_storage_available gauge',
    `sluice_storage_available ${storage.isAvailable() ? 1 : 0}`,
    '',
  ].join('\n');
}
