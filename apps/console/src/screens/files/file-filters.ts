import type { ListedFile } from '../../api/files.ts';
import type { FilterField } from '../../components/filter-bar.tsx';

/** Parameters of the list in the URL. */
export const FILE_FILTERS = ['key', 'purpose', 'after'] as const;

export type FileSearch = { [name in (typeof FILE_FILTERS)[number]]?: string };

const PURPOSES: readonly ListedFile['purpose'][] = [
  'batch',
  'batch_output',
  'user_data',
  'vision',
  'assistants',
  'assistants_output',
  'fine-tune',
  'fine-tune-results',
  'evals',
];

/** The holder of a key sees only its own files. */
export function fileFields(seesAllKeys: boolean): readonly FilterField[] {
  const key: FilterField = { name: 'key', label: 'API key' };
  return [...(seesAllKeys ? [key] : []), { name: 'purpose', label: 'Purpose', options: PURPOSES }];
}
