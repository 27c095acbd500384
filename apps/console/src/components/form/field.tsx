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
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckField({ label, checked, onChange }: CheckFieldProps): ReactElement {
  return (
    <label className="inline-flex items-center gap-2">
      <input
        type="checkbox"
        className="size-4 accent-accent"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
