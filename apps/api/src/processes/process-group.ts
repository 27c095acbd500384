import cluster from 'node:cluster';
import type { MetricsSnapshot } from '@sluice/telemetry';
import type { MessageFromPrimary, MessageToPrimary } from './messages.ts';

/** The API processes that share a port, as one of them sees it. */
export interface ProcessGroup {
  /** Whether all configured processes serve. */
  isComplete(): boolean;
  /** Sets how other processes get the metrics of this one. */
  share(snapshot: () => Promise<MetricsSnapshot>): void;
  /** Returns the metrics of the other processes. */
  collect(): Promise<MetricsSnapshot[]>;
}

export function joinProcessGroup(): ProcessGroup {
  // By default, Node exits immediately if the primary dies. This process first finishes its requests instead.
  if (cluster.worker) cluster.worker.exitedAfterDisconnect = true;
  const collecting = new Map<number, (others: MetricsSnapshot[]) => void>();
  let own = noMetrics;
  let isComplete = false;
  let lastId = 0;

  // The cast is safe because only the primary sends messages.
  process.on('message', (received) => {
    const message = received as MessageFromPrimary;
    switch (message.type) {
      case 'running':
        isComplete = message.isComplete;
        break;
      case 'stop':
        process.kill(process.pid, 'SIGTERM');
        break;
      case 'report':
        void own().then((snapshot) => send({ type: 'report', id: message.id, own: snapshot }));
        break;
      case 'collected':
        collecting.get(message.id)?.(message.others);
        collecting.delete(message.id);
    }
  });

  return {
    isComplete: () => isComplete,
    share: (snapshot) => void (own = snapshot),
    async collect() {
      const id = (lastId += 1);
      const { promise, resolve } = Promise.withResolvers<MetricsSnapshot[]>();
      collecting.set(id, resolve);
      send({ type: 'collect', id, own: await own() });
      return promise;
    },
  };
}

/** Before the API is built. */
function noMetrics(): Promise<MetricsSnapshot> {
  return Promise.resolve({ families: [], named: [] });
}

function send(message: MessageToPrimary): void {
  // Fails only if the primary has died, which stops this process.
  process.send?.(message, undefined, undefined, () => undefined);
}
