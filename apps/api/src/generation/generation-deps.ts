import type { TextOperation } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { FileStore } from '@sluice/files';
import type { TextEndpoint, TokenCodec } from '@sluice/protocols';
import type { Credentials } from '@sluice/limits';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { ClientCall } from '../auth/client-call.ts';
import type { Charges } from '../metering/charges.ts';
import type { Affinity } from '../routing/affinity.ts';
import type { OpenFallback } from '../routing/create-fallback.ts';
import type { TextTargetsOf } from '../routing/targets.ts';
import type { ReasoningMemory } from './reasoning/reasoning-memory.ts';

export interface GenerationDeps {
  catalog: ModelCatalog;
  accounts: Upstreams['accounts'];
  credentials: Credentials;
  targetsOf: TextTargetsOf;
  /** Fetches an image from a client's URL. Private addresses are rejected. */
  fetchInput: Upstreams['fetchInput'];
  files: Pick<FileStore, 'find' | 'open' | 'copies'>;
  /** The size from which a file is uploaded to vendors that store files. */
  vendorUploadBytes: number;
  fallback: OpenFallback<[operation?: TextOperation]>;
  charges: Charges;
  affinity: Affinity;
  tokenCodec: TokenCodec;
  memory: ReasoningMemory;
  keepAliveMs: number;
  responseBytes: number;
  logger: Logger;
  metrics: Metrics;
  now: () => number;
  newId: (prefix: string) => string;
}

export interface TextCall extends ClientCall<TextEndpoint> {
  signal: AbortSignal;
}
