import { type FormEvent, type ReactElement, type ReactNode, useId, useState } from 'react';
import { ApiError } from '../../api/client.ts';
import type { Key, KeySettings } from '../../api/keys.ts';
import { formOf, type KeyForm, LIMITS, settingsOf } from './key-settings.ts';
import { CheckField } from '../../components/form/field.tsx';
import { MessageText } from '../../components/message-text.tsx';

export interface KeyFieldsFormProps {
  /** The key to change. Undefined for a new one, which also needs a name. */
  before?: Key;
  submitLabel: string;
  isPending: boolean;
  error: Error | null;
  onSubmit: (settings: KeySettings & { name: string }) => void;
}

/** The settings of a new or changed key. */
export function KeySettingsForm({ before, submitLabel, isPending, error, onSubmit }: KeyFieldsFormProps): ReactElement {
  const [name, setName] = useState('');
  const [form, setForm] = useState<KeyForm>(() => formOf(before));
  const set = (next: Partial<KeyForm>): void => setForm((now) => ({ ...now, ...next }));
  const param = error instanceof ApiError ? error.param : undefined;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSubmit({ name: name.trim(), ...settingsOf(form, before) });
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      {!before && <NameField name={name} onChange={setName} param={param} />}
      <Field
        label="Models"
        hint="One per line. * matches any characters. Empty: all models."
        name="models"
        param={param}
      >
        {(props) => (
          <textarea
            {...props}
            rows={3}
            spellCheck={false}
            className="field h-auto w-full py-1.5 font-mono text-xs"
            value={form.models}
            onChange={(event) => set({ models: event.target.value })}
          />
        )}
      </Field>
      <LimitFields form={form} set={set} param={param} />
      <BudgetFields form={form} set={set} param={param} />
      <Field label="Labels" hint="One name=value per line, for usage reports." name="labels" param={param}>
        {(props) => (
          <textarea
            {...props}
            rows={2}
            spellCheck={false}
            className="field h-auto w-full py-1.5 font-mono text-xs"
            value={form.labels}
            onChange={(event) => set({ labels: event.target.value })}
          />
        )}
      </Field>
      <Field label="Expires" hint="Your local time. Empty: never." name="expires_at" param={param}>
        {(props) => (
          <input
            {...props}
            type="datetime-local"
            className="field w-full"
            value={form.expires_at}
            onChange={(event) => set({ expires_at: event.target.value })}
          />
        )}
      </Field>
      <Switches form={form} set={set} />
      <div role="alert" className="text-bad">
        <MessageText text={error?.message} />
      </div>
      <button type="submit" className="button button-primary" disabled={isPending}>
        {submitLabel}
      </button>
    </form>
  );
}

interface PartProps {
  form: KeyForm;
  set: (next: Partial<KeyForm>) => void;
  param: string | undefined;
}

function LimitFields({ form, set, param }: PartProps): ReactElement {
  return (
    <fieldset className="grid grid-cols-2 gap-3">
      <legend className="mb-1 font-medium">Limits</legend>
      {Object.entries(LIMITS).map(([limit, label]) => (
        <Field key={limit} label={label} name={`limits[${limit}]`} param={param}>
          {(props) => (
            <input
              {...props}
              type="number"
              min={1}
              step={1}
              placeholder="No limit"
              className="field w-full"
              value={Reflect.get(form.limits, limit) as string /* A field of the form. */}
              onChange={(event) => set({ limits: { ...form.limits, [limit]: event.target.value } })}
            />
          )}
        </Field>
      ))}
    </fieldset>
  );
}

function Switches({ form, set }: Omit<PartProps, 'param'>): ReactElement {
  return (
    <>
      <CheckField
        label="Strict: refuse requests that would lose a field"
        checked={form.strict}
        onChange={(strict) => set({ strict })}
      />
      <CheckField
        label="Allow files and caches that a vendor stores"
        checked={form.vendor_references}
        onChange={(allowed) => set({ vendor_references: allowed })}
      />
    </>
  );
}

function BudgetFields({ form, set, param }: PartProps): ReactElement {
  return (
    <fieldset className="grid grid-cols-2 gap-3">
      <legend className="mb-1 font-medium">Budget</legend>
      <Field label="US dollars" name="budget[usd]" param={param}>
        {(props) => (
          <input
            {...props}
            type="number"
            min={0}
            step="any"
            placeholder="No budget"
            className="field w-full"
            value={form['budget[usd]']}
            onChange={(event) => set({ 'budget[usd]': event.target.value })}
          />
        )}
      </Field>
      <Field label="Resets" name="budget[period]" param={param}>
        {(props) => (
          // The cast is safe because the options are the periods.
          <select
            {...props}
            className="field w-full"
            value={form['budget[period]']}
            onChange={(event) => set({ 'budget[period]': event.target.value as KeyForm['budget[period]'] })}
          >
            <option value="day">Daily (UTC)</option>
            <option value="month">Monthly (UTC)</option>
            <option value="total">Never</option>
          </select>
        )}
      </Field>
    </fieldset>
  );
}

function NameField({
  name,
  onChange,
  param,
}: {
  name: string;
  onChange: (name: string) => void;
  param: string | undefined;
}): ReactElement {
  return (
    <Field
      label="Name"
      hint="Its tasks belong to this name. It cannot be changed or used again."
      name="name"
      param={param}
    >
      {(props) => (
        <input
          {...props}
          required
          autoFocus
          maxLength={64}
          autoComplete="off"
          className="field w-full"
          value={name}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

interface FieldProps {
  label: string;
  hint?: string;
  name: string;
  /** The invalid field of an error. */
  param: string | undefined;
  children: (props: {
    id: string;
    name: string;
    'aria-invalid': boolean;
    'aria-describedby': string | undefined;
  }) => ReactNode;
}

function Field({ label, hint, name, param, children }: FieldProps): ReactElement {
  const id = useId();
  const isInvalid = param !== undefined && (param === name || param.startsWith(`${name}[`));
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="font-medium">
        {label}
      </label>
      {children({
        id,
        name,
        'aria-invalid': isInvalid,
        'aria-describedby': hint === undefined ? undefined : `${id}-hint`,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-xs text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}
