import type { FilterField } from '../../components/filter-bar.tsx';
import { LABEL_FIELD } from '../../components/label-field.ts';
import { STATUS_TEXTS, TASK_STATES } from './task-status.tsx';
import type { TASK_FILTERS } from './task-params.ts';

export type TaskSearch = { [name in (typeof TASK_FILTERS)[number]]?: string };

const KIND: FilterField = { name: 'kind', label: 'Kind', options: ['video', 'image'] };
const MODEL: FilterField = { name: 'model', label: 'Model' };
const KEY: FilterField = { name: 'key', label: 'API key' };
const USER: FilterField = { name: 'user', label: 'End user' };
const REMIX: FilterField = { name: 'remixed_from', label: 'Remix of', placeholder: 'video_…' };

/** Filters of videos and images in any list. The holder of a key sees only its own. */
export function mediaFields(seesAllKeys: boolean): readonly FilterField[] {
  return [...(seesAllKeys ? [KEY] : []), KIND, MODEL, REMIX];
}

/**
 * The board has a column for each state, so it has no filter by state. Users and labels belong to a key, so operators
 * first select one.
 */
export function taskFields(seesAllKeys: boolean, { view, key, user, label }: TaskSearch): readonly FilterField[] {
  const status: FilterField = {
    name: 'status',
    label: 'Status',
    options: ['open', ...TASK_STATES],
    titles: { open: 'Open', ...STATUS_TEXTS },
  };
  const isOfKey = !seesAllKeys || (key ?? user ?? label) !== undefined;
  return [...(view === 'board' ? [] : [status]), ...mediaFields(seesAllKeys), ...(isOfKey ? [USER, LABEL_FIELD] : [])];
}
