import type { DirectKind } from '@sluice/canonical';
import type { ModelCapability, ModelCatalog } from '@sluice/config';
import type { DirectEndpoint } from '@sluice/protocols';
import type { Credentials } from '@sluice/limits';
import type { Logger, Metrics } from '@sluice/telemetry';
import type { Upstreams } from '@sluice/upstreams';
import type { CallerOf } from '../auth/authenticate.ts';
import type { ClientCall } from '../auth/client-call.ts';
import type { FormLimits } from '../http/form-limits.ts';
import type { Charges } from '../metering/charges.ts';
import type { OpenFallback } from '../routing/create-fallback.ts';
import type { FallbackOptions } from '../routing/with-fallback.ts';
import type { Spool } from './spooled-file.ts';

export interface DirectDeps {
  catalog: ModelCatalog;
  accounts: Upstreams['accounts'];
  credentials: Credentials;
  fallback: OpenFallback<[ModelCapability]>;
  charges: Charges;
  defaultModels: Partial<Record<DirectKind, string | undefined>>;
  callerOf: CallerOf;
  forms: FormDeps;
  /** Returns an unguessable id: the prefix and 32 hex digits. */
  newId: (prefix: string) => string;
  logger: Logger;
  metrics: Metrics;
}

export interface FormDeps {
  limits: FormLimits;
  spool: Spool;
}

export interface DirectCall<E extends DirectEndpoint = DirectEndpoint> extends ClientCall<E> {
  signal: AbortSignal;
  fallback: FallbackOptions;
}
