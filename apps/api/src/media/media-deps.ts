import type { MediaCapabilities } from '@sluice/canonical';
import type { ModelCatalog } from '@sluice/config';
import type { ContentStore, TaskEngine } from '@sluice/tasks';
import type { Logger } from '@sluice/telemetry';
import type { CallerOf } from '../auth/authenticate.ts';
import type { FormLimits } from '../http/form-limits.ts';
import type { Charges } from '../metering/charges.ts';
import type { ContentLinks } from './content-links.ts';

/** Everything that serves videos and images; each function picks what it uses. */
export interface MediaDeps {
  engine: TaskEngine;
  content: ContentStore;
  catalog: ModelCatalog;
  /** What each upstream can generate, by name. */
  accounts: ReadonlyMap<string, MediaCapabilities>;
  /** Models of requests that name none. */
  defaultModels: { video: string | undefined; image: string | undefined };
  limits: FormLimits;
  charges: Charges;
  callerOf: CallerOf;
  links: ContentLinks;
  /** Origins of callbacks that need not be public or use https. */
  callbackOrigins: ReadonlySet<string>;
  /** Origins of input images that need not be public. */
  imageOrigins: ReadonlySet<string>;
  /** How long an image request waits for its task, milliseconds. */
  imageWaitMs: number;
  /** Silence after which a keep-alive is sent in an event stream, milliseconds. */
  keepAliveMs: number;
  /** Aborts when the process is asked to stop: waiting requests are answered with the task as it is. */
  stopping: AbortSignal;
  logger: Logger;
}
