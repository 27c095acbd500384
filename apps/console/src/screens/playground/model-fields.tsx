import { Columns2, X } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import type { ListedModel } from '../../api/models.ts';
import { Field } from '../../components/form/field.tsx';
import { PROTOCOLS } from './protocols/protocols.ts';

interface Selection {
  model?: string | undefined;
  model2?: string | undefined;
  protocol?: string | undefined;
}

export interface ModelFieldsProps {
  /** Models that the lists offer. Other names can be entered, for models of a pattern. */
  models: readonly ListedModel[];
  model: string;
  /** Undefined without a comparison. */
  model2: string | undefined;
  /** Undefined if the mode has only one protocol. */
  protocol: string | undefined;
  onChange: (selection: Selection) => void;
}

/** Selects one or two models, and the protocol. */
export function ModelFields({ models, model, model2, protocol, onChange }: ModelFieldsProps): ReactElement {
  const listId = useId();
  const second = models.find(({ id }) => id !== model)?.id ?? model;
  return (
    <div className="panel grid items-end gap-3 p-4 sm:flex sm:flex-wrap">
      {protocol !== undefined && (
        <Field label="Protocol">
          {(id) => (
            <select
              id={id}
              className="field w-full sm:w-44"
              value={protocol}
              onChange={(event) => onChange({ protocol: event.target.value })}
            >
              {PROTOCOLS.map((one, at) => (
                <option key={one.id} value={at === 0 ? '' : one.id}>
                  {one.title}
                </option>
              ))}
            </select>
          )}
        </Field>
      )}
      <ModelInput label="Model" value={model} listId={listId} onSet={(id) => onChange({ model: id })} />
      {model2 === undefined ? (
        <button type="button" className="button" onClick={() => onChange({ model, model2: second })}>
          <Columns2 aria-hidden className="size-4" /> Compare
        </button>
      ) : (
        <>
          <ModelInput label="Second model" value={model2} listId={listId} onSet={(id) => onChange({ model2: id })} />
          <button type="button" className="button" onClick={() => onChange({ model2: undefined })}>
            <X aria-hidden className="size-4" /> One model
          </button>
        </>
      )}
      <datalist id={listId}>
        {models.map(({ id }) => (
          <option key={id} value={id} />
        ))}
      </datalist>
    </div>
  );
}

/** Applies with Enter, when it loses the focus, or when a listed model is selected. */
function ModelInput(props: {
  label: string;
  value: string;
  listId: string;
  onSet: (id: string) => void;
}): ReactElement {
  const { label, value, listId, onSet } = props;
  const set = (text: string): void => {
    if (text.trim() !== '' && text.trim() !== value) onSet(text.trim());
  };
  return (
    <Field label={label}>
      {(id) => (
        <input
          key={value}
          id={id}
          list={listId}
          className="field w-full sm:w-64"
          defaultValue={value}
          placeholder="Name of a model"
          autoComplete="off"
          spellCheck={false}
          onBlur={(event) => set(event.target.value)}
          onKeyDown={(event) => event.key === 'Enter' && set(event.currentTarget.value)}
          onInput={(event) => {
            // Only a selection from the list replaces the text.
            const { inputType } = event.nativeEvent;
            if (inputType === 'insertReplacementText') set(event.currentTarget.value);
          }}
        />
      )}
    </Field>
  );
}
