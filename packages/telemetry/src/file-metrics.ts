import type PromClient from 'prom-client';
import type { Counter, Registry } from 'prom-client';

/** Metrics of files that requests refer to. */
export interface FileMetrics {
  /**
   * Files that a request referred to, for each call of an upstream. `content`: the request contained the content.
   * `vendor`: it referred to a copy at the vendor. `task`: the file was copied for a task.
   */
  fileReferences: Counter<'how'>;
  vendorUploads: Counter<'upstream' | 'result'>;
}

export function fileMetrics(client: typeof PromClient, registers: Registry[]): FileMetrics {
  return {
    fileReferences: new client.Counter({
      name: 'sluice_file_references_total',
      help: 'Files that requests referred to, by how the upstream received them.',
      labelNames: ['how'] as const,
      registers,
    }),
    vendorUploads: new client.Counter({
      name: 'sluice_vendor_file_uploads_total',
      help: 'Uploads of files to upstreams that store files.',
      labelNames: ['upstream', 'result'] as const,
      registers,
    }),
  };
}
