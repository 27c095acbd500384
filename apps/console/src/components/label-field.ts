import { LABEL } from '../lib/label.ts';
import type { FilterField } from './filter-bar.tsx';

export const LABEL_FIELD: FilterField = {
  name: 'label',
  label: 'Label',
  placeholder: 'name=value',
  complete: LABEL,
  problem: 'Enter a label as name=value, for example project=kites.',
};
