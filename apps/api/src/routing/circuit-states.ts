import { type Metrics, type MetricsSnapshot, sumSnapshots } from '@sluice/telemetry';

const STATES = ['closed', 'half-open', 'open'] as const;

/** A circuit breaker. With several processes, the worst state of them. */
export interface Circuit {
  upstream: string;
  operation: string;
  state: (typeof STATES)[number];
}

/** Reads the circuit breakers of this process, and of those that share its port. */
export async function readCircuits(
  metrics: Pick<Metrics, 'snapshot'>,
  group: { collect(): Promise<MetricsSnapshot[]> } | undefined,
): Promise<Circuit[]> {
  const others = (await group?.collect()) ?? [];
  const { families } = await sumSnapshots([await metrics.snapshot(), ...others]);
  const family = families.find(({ name }) => name === 'sluice_circuit_breaker_state');
  return (family?.values ?? []).map(({ labels, value }) => ({
    upstream: String(labels['upstream']),
    operation: String(labels['operation']),
    state: STATES[value] ?? 'closed',
  }));
}
