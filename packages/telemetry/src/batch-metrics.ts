import { boundedCounter, type BoundedCounter, type MetricsTarget } from './bounded-metrics.ts';

/** The slots of a worker at an upstream. */
interface BatchSlots {
  upstream: string;
  inFlight: number;
  limit: number;
}

/** Metrics of the batches that a worker runs. */
export interface BatchMetrics {
  batchLines: BoundedCounter<'result'>;
  /** Sets the function that is read when the metrics are rendered. */
  observeBatchSlots: (read: () => readonly BatchSlots[]) => void;
}

export function batchMetrics(target: MetricsTarget): BatchMetrics {
  const { client, registry } = target;
  let read: (() => readonly BatchSlots[]) | undefined;
  const gauge = (name: string, help: string, valueOf: (slots: BatchSlots) => number): void => {
    const created = new client.Gauge({
      name,
      help,
      labelNames: ['upstream'] as const,
      registers: [registry],
      collect() {
        created.reset();
        for (const slots of read?.() ?? []) created.set({ upstream: slots.upstream }, valueOf(slots));
      },
    });
  };
  gauge('sluice_batch_lines_in_flight', 'Lines of batches that this worker has in flight.', ({ inFlight }) => inFlight);
  gauge('sluice_batch_slots', 'Maximum lines of batches that this worker has in flight now.', ({ limit }) => limit);
  const batchLines = boundedCounter(target, {
    name: 'sluice_batch_lines_total',
    help: 'Lines of batches that this worker has ended, by result.',
    labelNames: ['result'],
  });
  // Alerts on an increase need a first sample.
  for (const result of ['completed', 'failed', 'expired', 'cancelled']) batchLines.inc({ result }, 0);
  return {
    batchLines,
    observeBatchSlots(next) {
      read = next;
    },
  };
}
