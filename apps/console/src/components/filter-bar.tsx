import { SlidersHorizontal, X } from 'lucide-react';
import { type FormEvent, type ReactElement, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import type { Filters } from '../lib/url-search.ts';

export interface FilterField {
  name: string;
  label: string;
  placeholder?: string;
  /** If set, the field is a list with these values; `''` is shown as `Any`. */
  options?: readonly string[];
  /** The words for options whose value is a name of the API. */
  titles?: Readonly<Record<string, string>> | undefined;
  /** Texts that apply while the user types. Others, such as the first half of `name=value`, apply with Enter. */
  complete?: RegExp;
  /** Says how to write the text. If set, a text that is not complete is refused with it. */
  problem?: string;
}

export interface FilterBarProps {
  fields: readonly FilterField[];
  /** The filters in the URL. */
  filters: Filters;
  /** Sets the filters in the URL. With `replace`, more of a text was typed, so the history needs no other entry. */
  onChange: (filters: Filters, options: { replace: boolean }) => void;
}

/** Milliseconds without a key after which a text applies. */
const PAUSE_MS = 500;

/** Fields of filters. A list applies at once, and a text after a pause, with Enter, or when it loses the focus. */
export function FilterBar({ fields, filters, onChange }: FilterBarProps): ReactElement {
  const set = (name: string, value: string, replace = false): void => {
    if ((filters[name] ?? '') !== value) onChange({ ...filters, [name]: value }, { replace });
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
          <Field
            key={field.name}
            field={field}
            value={filters[field.name] ?? ''}
            onSet={(value, replace) => set(field.name, value, replace)}
          />
        ))}
      </div>
      {active > 0 && (
        <button type="button" className="button" onClick={() => onChange(without(filters, fields), { replace: false })}>
          <X aria-hidden className="size-4" /> Clear
        </button>
      )}
    </form>
  );
}

interface FieldProps {
  field: FilterField;
  value: string;
  onSet: (value: string, replace?: boolean) => void;
}

function Field({ field, value, onSet }: FieldProps): ReactElement {
  const id = useId();
  const { label, options, titles = {} } = field;
  const className = `field w-full sm:w-32 ${value === '' ? '' : 'border-accent'}`;
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {options ? (
        <select id={id} className={className} value={value} onChange={(event) => onSet(event.target.value)}>
          {['', ...options].map((option) => (
            <option key={option} value={option}>
              {option === '' ? 'Any' : (titles[option] ?? option)}
            </option>
          ))}
        </select>
      ) : (
        <TextInput id={id} className={className} field={field} value={value} onSet={onSet} />
      )}
    </div>
  );
}

function TextInput({
  id,
  className,
  field,
  value,
  onSet,
}: FieldProps & { id: string; className: string }): ReactElement {
  const { placeholder = 'Any', complete = /^/, problem } = field;
  const problemId = useId();
  const [isRefused, setRefused] = useState(false);
  const [text, setText] = useState(value);
  const [shown, setShown] = useState(value);
  const [sent, setSent] = useState<string>();
  // A link, a button, or the history changed the URL, and not this field.
  if (value !== shown) {
    setShown(value);
    setSent(undefined);
    setRefused(false);
    if (value !== sent) setText(value);
  }
  const isRefining = useRef(false);
  const apply = (isTyping: boolean): void => {
    const next = text.trim();
    const isInvalid = problem !== undefined && next !== '' && !complete.test(next);
    setRefused(isInvalid);
    if (isInvalid) return;
    if (next !== value) {
      setSent(next);
      onSet(next, isRefining.current);
    }
    isRefining.current = isTyping;
  };
  const applyTyped = useEffectEvent(() => {
    if (text.trim() !== value && (text.trim() === '' || complete.test(text.trim()))) apply(true);
  });
  useEffect(() => {
    const timer = setTimeout(applyTyped, PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <input
        id={id}
        className={`${className} ${isRefused ? 'border-bad' : ''}`}
        value={text}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={isRefused}
        aria-describedby={isRefused ? problemId : undefined}
        onChange={(event) => setText(event.target.value)}
        onBlur={() => apply(false)}
        onKeyDown={(event) => event.key === 'Enter' && apply(false)}
      />
      {isRefused && (
        <p id={problemId} role="alert" className="text-xs text-bad sm:w-32">
          {problem}
        </p>
      )}
    </>
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
