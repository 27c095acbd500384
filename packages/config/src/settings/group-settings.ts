import type { Config } from '../schema/schema.ts';

/** Returns the settings of groups (`GroupSettings` in `packages/groups`). API and workers must use the same ones. */
export function groupSettings({ video_groups: groups, tasks }: Pick<Config, 'video_groups' | 'tasks'>) {
  return { perOwner: groups.per_key, retentionMs: tasks.retention_ms };
}
