import type PromClient from 'prom-client';
import type { Counter, Gauge, Registry } from 'prom-client';

/** The configuration of a process, in the API and the workers. */
export interface ConfigMetrics {
  /** 1 for the version in force. With several processes, the number of processes that have it. */
  configVersion: Gauge<'version'>;
  configReloads: Counter<'result'>;
}

export function configMetrics(client: typeof PromClient, registry: Registry): ConfigMetrics {
  const registers = [registry];
  const configReloads = new client.Counter({
    name: 'sluice_config_reloads_total',
    help: 'Reloads of the configuration by result: applied, unchanged, invalid, or failed.',
    labelNames: ['result'] as const,
    registers,
  });
  // Alerts on an increase need a first sample.
  for (const result of ['applied', 'unchanged', 'invalid', 'failed']) configReloads.inc({ result }, 0);
  return {
    configVersion: new client.Gauge({
      name: 'sluice_config_info',
      help: 'Processes that run this version of the configuration.',
      labelNames: ['version'] as const,
      registers,
    }),
    configReloads,
  };
}
