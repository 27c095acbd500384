import { type FormEvent, type ReactElement, useState } from 'react';
import { Field } from '../../../components/form/field.tsx';
import type { ToolCall, ToolResult } from '../protocols/text-protocol.ts';

export interface ToolResultFormProps {
  model: string;
  calls: readonly ToolCall[];
  onSend: (results: readonly ToolResult[]) => void;
}

/** Asks for the results of the tools that the model called. */
export function ToolResultForm({ model, calls, onSend }: ToolResultFormProps): ReactElement {
  const [outputs, setOutputs] = useState<readonly string[]>(calls.map(() => ''));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onSend(calls.map((call, at) => ({ call, output: outputs[at] ?? '' })));
  };
  return (
    <form
      onSubmit={submit}
      aria-label={`Tool results for ${model}`}
      className="flex flex-col gap-3 rounded-md border border-accent p-3"
    >
      {calls.map((call, at) => (
        <Field key={call.id || at} label={`Result of ${call.name}`}>
          {(id) => (
            <textarea
              id={id}
              rows={2}
              required
              className="field h-auto w-full py-1.5 font-mono text-xs"
              value={outputs[at]}
              onChange={(event) => setOutputs(outputs.map((text, index) => (index === at ? event.target.value : text)))}
            />
          )}
        </Field>
      ))}
      <button type="submit" className="button button-primary self-end">
        {calls.length === 1 ? 'Send result' : 'Send results'}
      </button>
    </form>
  );
}
