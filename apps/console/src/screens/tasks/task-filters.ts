import type { FilterField } from '../../components/filter-bar.tsx';

/** Parameters of the list in the URL. All but `view` have the names of `GET /v1/tasks`. */
export const TASK_FILTERS = ['view', 'status', 'kind', 'model', 'key', 'remixed_from', 'after'] as const;

export type TaskSearch = { [name in (typeof TASK_FILTERS)[number]]?: string };

const STATUSES = [
  'open',
  'queued',
  'submitting',
  'submit_unknown',
  'in_progress',
  'finishing',
  'canceling',
  'completed',
  'failed',
  'canceled',
];

const KIND: FilterField = { name: 'kind', label: 'Kind', options: ['video', 'image'] };
const MODEL: FilterField = { name: 'model', label: 'Model' };
const KEY: FilterField = { name: 'key', label: 'API key' };
const REMIX: FilterField = { name: 'remixed_from', label: 'Remix of', placeholder: 'video_…' };

/** Filters of videos and images in any list. The holder of a key sees only its own. */
export function mediaFields(seesAllKeys: boolean): readonly FilterField[] {
  return [...(seesAllKeys ? [KEY] : []), KIND, MODEL, REMIX];
}

/** The board has a column for each state, so it has no filter by state. */
export function taskFields(seesAllKeys: boolean, isBoard: boolean): readonly FilterField[] {
  const status: FilterField = { name: 'status', label: 'Status', options: STATUSES };
  return [...(isBoard ? [] : [status]), ...mediaFields(seesAllKeys)];
}
