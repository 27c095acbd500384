import { type ReactElement, useId } from 'react';

export interface TextFieldProps {
  name: string;
  label: string;
  hint?: string;
  type?: 'text' | 'url';
  value?: string;
  isRequired?: boolean;
  maxLength?: number;
}

/** A labeled field of a form, which reads it with `FormData`. */
export function TextField(props: TextFieldProps): ReactElement {
  const { name, label, hint, type = 'text', value, isRequired = false, maxLength } = props;
  const id = useId();
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      <input
        id={id}
        name={name}
        type={type}
        className="field w-full"
        defaultValue={value}
        required={isRequired}
        maxLength={maxLength}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        autoComplete="off"
        spellCheck={false}
      />
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
