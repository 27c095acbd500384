import type { ReactElement } from 'react';
import { Field } from '../../components/form/field.tsx';
import { fieldOfTime, type TimeRange, timeOfField, withEnd } from '../../lib/time-range.ts';

export interface RangeFieldsProps {
  range: Pick<TimeRange, 'start' | 'end'>;
  /** Sets the period, in Unix seconds. */
  onSelect: (selected: { start: number; end: number }) => void;
}

const ENDS = [
  { name: 'start', label: 'From' },
  { name: 'end', label: 'To' },
] as const;

/** The start and the end of the selected period, for users without a pointer. They apply when they lose the focus. */
export function RangeFields({ range, onSelect }: RangeFieldsProps): ReactElement {
  const set = (name: 'start' | 'end', text: string): void => {
    const at = timeOfField(text);
    if (at !== undefined && at !== range[name]) onSelect(withEnd(range, name, at));
  };
  return (
    <div role="group" aria-label="Start and end" className="flex flex-wrap gap-2">
      {ENDS.map(({ name, label }) => (
        // A new key shows the value of the URL when it changes.
        <Field key={`${name} ${range[name]}`} label={label}>
          {(id) => (
            <input
              id={id}
              type="datetime-local"
              step={1}
              className="field"
              defaultValue={fieldOfTime(range[name])}
              onBlur={(event) => set(name, event.target.value)}
              onKeyDown={(event) => event.key === 'Enter' && set(name, event.currentTarget.value)}
            />
          )}
        </Field>
      ))}
    </div>
  );
}
