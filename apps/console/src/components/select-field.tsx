import { type ReactElement, useId } from 'react';

interface SelectOption {
  value: string;
  title: string;
}

export interface SelectFieldProps {
  label: string;
  value: string;
  options: readonly SelectOption[];
  onChange: (value: string) => void;
}

/** A labeled list of which one value is selected. */
export function SelectField({ label, value, options, onChange }: SelectFieldProps): ReactElement {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      <select id={id} className="field w-full sm:w-44" value={value} onChange={(event) => onChange(event.target.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.title}
          </option>
        ))}
      </select>
    </div>
  );
}
