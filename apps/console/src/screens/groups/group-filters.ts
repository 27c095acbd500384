import type { Group, GroupVideo } from '../../api/groups.ts';
import type { FilterField } from '../../components/filter-bar.tsx';
import type { GROUP_FILTERS } from './group-params.ts';

export type GroupSearch = { [name in (typeof GROUP_FILTERS)[number]]?: string };

/** The words for the states of a group. It is completed when all videos have ended, whatever their states. */
export const GROUP_TEXTS: Readonly<Record<Group['status'], string>> = {
  in_progress: 'Running',
  cancelling: 'Canceling',
  completed: 'Ended',
  cancelled: 'Canceled',
};

export const VIDEO_TEXTS: Readonly<Record<GroupVideo['state'], string>> = {
  pending: 'Not created',
  queued: 'Waiting',
  in_progress: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Canceled',
};

export const VIDEO_STATES: readonly GroupVideo['state'][] = [
  'pending',
  'queued',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
];

export const GROUP_FIELDS: readonly FilterField[] = [
  { name: 'key', label: 'API key' },
  { name: 'status', label: 'Status', options: Object.keys(GROUP_TEXTS), titles: GROUP_TEXTS },
];
