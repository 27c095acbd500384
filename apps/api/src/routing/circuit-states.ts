import { type Metrics, type MetricsSnapshot, sumSnapshots } from '@sluice/telemetry';

const STATES = ['closed', 'half-open', 'open'] as const;

/** A circuit breaker. With several processes, the worst state of them. */
export interface Circuit {
  upstream: string;
  operation: string;
  state: (typeof STATES)[number];
  /** Milliseconds until an open circuit admits a call. 0 if it is not open. */
  openMs: number;
}

/** Reads the circuit breakers of this process, and of those that share its port. */
export async function readCircuits(
  metrics: Pick<Metrics, 'snapshot'>,
  group: { collect(): Promise<MetricsSnapshot[]> } | undefined,
): Promise<Circuit[]> {
  const others = (await group?.collect()) ?? [];
  const { families } = await sumSnapshots([await metrics.snapshot(), ...others]);
  const valuesOf = (name: string) => families.find((family) => family.name === name)?.values ?? [];
  const openSeconds = valuesOf('sluice_circuit_breaker_open_seconds');
  return valuesOf('sluice_circuit_breaker_state').map(({ labels, value }) => {
    const { upstream, operation } = labels;
    const open = openSeconds.find(
      (one) => one.labels['upstream'] === upstream && one.labels['operation'] === operation,
    );
    return {
      upstream: String(upstream),
      operation: String(operation),
      state: STATES[value] ?? 'closed',
      openMs: Math.ceil((open?.value ?? 0) * 1_000),
    };
  });
}
