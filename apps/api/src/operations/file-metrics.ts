import type { FileStats } from '@sluice/files';
import type { MetricFamily } from '@sluice/telemetry';
import { counter, gauge } from './families.ts';

export function fileMetrics({ files, bytes, created }: FileStats): MetricFamily[] {
  return [
    gauge('sluice_files', 'Files of clients. Unfinished uploads count.', files),
    gauge('sluice_files_bytes', 'Bytes of the files of clients. Parts of unfinished uploads count.', bytes),
    counter('sluice_files_created_total', 'Files that clients and batches have created.', created),
  ];
}
