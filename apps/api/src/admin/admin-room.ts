import type { KeyConfig } from '@sluice/config';
import type { TaskEngine } from '@sluice/tasks';

/** What the endpoints of the admin API work with. */
export interface AdminRoom {
  engine: TaskEngine;
  /** Keys that stand in the configuration. */
  configuredKeys: readonly KeyConfig[];
}
