import { SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import type { Filters } from '../lib/url-search.ts';

export interface FilterField {
  name: string;
  label: string;
  placeholder?: string;
  /** If set, the field is a list with these values; `''` is shown as `Any`. */
  options?: readonly string[];
}

export interface FilterBarProps {
  fields: readonly FilterField[];
  /** The filters in the URL. */
  filters: Filters;
  /** Sets the filters in the URL. */
  onChange: (filters: Filters) => void;
}

/** Fields of filters. A list applies at once, and a text field with Enter or when it loses the focus. */
export function FilterBar({ fields, filters, onChange }: FilterBarProps): ReactElement {
  const set = (name: string, value: string): void => {
    if ((filters[name] ?? '') !== value) onChange({ ...filters, [name]: value });
  };
  const [isOpen, setOpen] = useState(false);
  const active = fields.filter(({ name }) => filters[name] !== undefined).length;
  return (
    <form onSubmit={ignore} aria-label="Filters" className="flex flex-wrap items-end gap-2">
      <button type="button" className="button sm:hidden" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <SlidersHorizontal aria-hidden className="size-4" /> Filters {active > 0 && `(${active})`}
      </button>
      <div className={`${isOpen ? 'grid' : 'hidden'} w-full grid-cols-2 gap-2 sm:contents`}>
        {fields.map((field) => (
          // A new key shows the value of the URL when it changes.
          <Field
            key={`${field.name}=${filters[field.name] ?? ''}`}
            field={field}
            value={filters[field.name] ?? ''}
            onSet={(value) => set(field.name, value)}
          />
        ))}
      </div>
      {active > 0 && (
        <button type="button" className="button" onClick={() => onChange(without(filters, fields))}>
          <X aria-hidden className="size-4" /> Clear
        </button>
      )}
    </form>
  );
}

function Field({
  field,
  value,
  onSet,
}: {
  field: FilterField;
  value: string;
  onSet: (value: string) => void;
}): ReactElement {
  const id = useId();
  const { label, options, placeholder = 'Any' } = field;
  const isSet = value !== '';
  const className = `field w-full sm:w-32 ${isSet ? 'border-accent' : ''}`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {options ? (
        <select id={id} className={className} value={value} onChange={(event) => onSet(event.target.value)}>
          {['', ...options].map((option) => (
            <option key={option} value={option}>
              {option === '' ? 'Any' : option}
            </option>
          ))}
        </select>
      ) : (
        <input
          id={id}
          className={className}
          defaultValue={value}
          placeholder={placeholder}
          autoComplete="off"
          spellCheck={false}
          onBlur={(event) => onSet(event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && onSet(event.currentTarget.value.trim())}
        />
      )}
    </div>
  );
}

function without(filters: Filters, fields: readonly FilterField[]): Filters {
  const names = new Set(fields.map(({ name }) => name));
  return Object.fromEntries(Object.entries(filters).filter(([name]) => !names.has(name)));
}

/** Fields apply on their own, so Enter must not load another page. */
function ignore(event: FormEvent): void {
  event.preventDefault();
}
