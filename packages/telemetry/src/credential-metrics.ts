import type PromClient from 'prom-client';
import type { Counter, Gauge } from 'prom-client';

/** Metrics of the credentials of pools. The configuration bounds their names. */
export interface CredentialMetrics {
  /** 0 means ready, 1 means resting, and 2 means rejected by the vendor. */
  credentialState: Gauge<'upstream' | 'credential'>;
  credentialInFlight: Gauge<'upstream' | 'credential'>;
  credentialRests: Counter<'upstream' | 'credential' | 'reason'>;
}

const LABELS = ['upstream', 'credential'] as const;

export function credentialMetrics(client: typeof PromClient, registers: PromClient.Registry[]): CredentialMetrics {
  return {
    credentialState: new client.Gauge({
      name: 'sluice_credential_state',
      help: 'State of a credential of a pool: 0 ready, 1 resting, 2 rejected by the vendor.',
      labelNames: LABELS,
      registers,
      aggregator: 'max',
    }),
    credentialInFlight: new client.Gauge({
      name: 'sluice_credential_calls_in_flight',
      help: 'Text and direct calls in flight with a credential of a pool.',
      labelNames: LABELS,
      registers,
    }),
    credentialRests: new client.Counter({
      name: 'sluice_credential_rests_total',
      help: 'How often a credential of a pool was set aside, by reason.',
      labelNames: [...LABELS, 'reason'] as const,
      registers,
    }),
  };
}
