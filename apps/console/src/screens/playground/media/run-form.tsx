import { Play } from 'lucide-react';
import type { FormEvent, ReactElement, ReactNode } from 'react';
import { Field } from '../../../components/form/field.tsx';

export interface RunFormProps {
  label: string;
  /** Called with the fields of the form. */
  onRun: (fields: FormData) => void;
  children: ReactNode;
}

/** Fields of a request that creates media. */
export function RunForm({ label, onRun, children }: RunFormProps): ReactElement {
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    onRun(new FormData(event.currentTarget));
  };
  return (
    <form aria-label={label} onSubmit={submit} className="panel flex flex-col gap-3 p-4">
      {children}
      <button type="submit" className="button button-primary self-end">
        <Play aria-hidden className="size-4" /> Run
      </button>
    </form>
  );
}

export function PromptField({
  name,
  label,
  placeholder,
}: {
  name: string;
  label: string;
  placeholder: string;
}): ReactElement {
  return (
    <Field label={label}>
      {(id) => (
        <textarea
          id={id}
          name={name}
          rows={3}
          required
          placeholder={placeholder}
          className="field h-auto w-full py-1.5"
        />
      )}
    </Field>
  );
}

export function TextField({
  name,
  label,
  placeholder,
}: {
  name: string;
  label: string;
  placeholder: string;
}): ReactElement {
  return (
    <Field label={label}>
      {(id) => <input id={id} name={name} placeholder={placeholder} autoComplete="off" className="field w-full" />}
    </Field>
  );
}

export function FileField(props: { name: string; label: string; accept: string; required?: boolean }): ReactElement {
  const { name, label, accept, required = false } = props;
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          name={name}
          type="file"
          accept={accept}
          required={required}
          className="field h-auto w-full py-1 file:mr-3 file:rounded file:border-0 file:bg-raised file:px-2 file:py-0.5 file:text-text"
        />
      )}
    </Field>
  );
}

/** Returns the text of a field; undefined if it is empty. */
export function textField(fields: FormData, name: string): string | undefined {
  const value = fields.get(name);
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** Returns the file of a field; undefined if none was selected. */
export function fileField(fields: FormData, name: string): File | undefined {
  const value = fields.get(name);
  return value instanceof File && value.size > 0 ? value : undefined;
}
