import { type ReactElement, type ReactNode, useId } from 'react';

export interface FieldProps {
  label: string;
  /** A second line below the field. */
  hint?: ReactNode;
  className?: string;
  /** Renders the field with the id of the label. */
  children: (id: string) => ReactNode;
}

/** A field with a label above it. */
export function Field({ label, hint, className = '', children }: FieldProps): ReactElement {
  const id = useId();
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <label htmlFor={id} className="text-xs text-muted">
        {label}
      </label>
      {children(id)}
      {hint !== undefined && <p className="text-xs text-muted">{hint}</p>}
    </div>
  );
}

export interface CheckFieldProps {
  /** A word, or a sentence. */
  label: string;
  checked: boolean;
  className?: string;
  onChange: (checked: boolean) => void;
}

/** A checkbox with a label at its right. */
export function CheckField({ label, checked, className = '', onChange }: CheckFieldProps): ReactElement {
  return (
    <label className={`flex items-start gap-2 ${className}`}>
      <input
        type="checkbox"
        className="mt-0.5 size-4 shrink-0 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{label}</span>
    </label>
  );
}
