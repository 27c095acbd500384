import type { ReactElement } from 'react';
import { CheckField, Field } from '../../../components/form/field.tsx';
import { EFFORTS } from '../protocols/text-protocol.ts';
import { type ChatOptions, effortOf } from './chat-options.ts';

export interface ChatSettingsProps {
  options: ChatOptions;
  onChange: (options: ChatOptions) => void;
}

const EFFORT_TITLES = { '': 'Default', low: 'Low', medium: 'Medium', high: 'High' } as const;

/** Options of all requests of the chat. */
export function ChatSettingsForm({ options, onChange }: ChatSettingsProps): ReactElement {
  const set = (more: Partial<ChatOptions>): void => onChange({ ...options, ...more });
  return (
    <details className="panel">
      <summary className="cursor-pointer px-4 py-2.5">
        <span className="mr-3 font-semibold">Options</span>
        <span className="text-xs text-muted">{summaryOf(options)}</span>
      </summary>
      <div className="grid gap-4 border-t border-line p-4 sm:grid-cols-2 lg:grid-cols-4">
        <Field label="System prompt" className="sm:col-span-2 lg:col-span-4">
          {(id) => (
            <textarea
              id={id}
              rows={2}
              className="field h-auto w-full py-1.5"
              value={options.system}
              onChange={(event) => set({ system: event.target.value })}
            />
          )}
        </Field>
        <Field label="Reasoning">
          {(id) => (
            <select
              id={id}
              className="field w-full"
              value={options.effort}
              onChange={(event) => set({ effort: effortOf(event.target.value) })}
            >
              {EFFORTS.map((effort) => (
                <option key={effort} value={effort}>
                  {EFFORT_TITLES[effort]}
                </option>
              ))}
            </select>
          )}
        </Field>
        <NumberField label="Maximum tokens" value={options.maxTokens} onSet={(maxTokens) => set({ maxTokens })} />
        <NumberField label="Temperature" value={options.temperature} onSet={(temperature) => set({ temperature })} />
        <div className="flex flex-col justify-end gap-2">
          <CheckField label="Streaming" checked={options.stream} onChange={(stream) => set({ stream })} />
          <CheckField label="Tools" checked={options.usesTools} onChange={(usesTools) => set({ usesTools })} />
        </div>
        {options.usesTools && (
          <Field label="Tools, as JSON" className="sm:col-span-2 lg:col-span-4">
            {(id) => (
              <textarea
                id={id}
                rows={8}
                spellCheck={false}
                className="field h-auto w-full py-1.5 font-mono text-xs"
                value={options.tools}
                onChange={(event) => set({ tools: event.target.value })}
              />
            )}
          </Field>
        )}
      </div>
    </details>
  );
}

function NumberField({
  label,
  value,
  onSet,
}: {
  label: string;
  value: string;
  onSet: (text: string) => void;
}): ReactElement {
  return (
    <Field label={label}>
      {(id) => (
        <input
          id={id}
          inputMode="decimal"
          className="field w-full"
          placeholder="Default"
          value={value}
          autoComplete="off"
          onChange={(event) => onSet(event.target.value)}
        />
      )}
    </Field>
  );
}

function summaryOf({ system, stream, effort, usesTools, maxTokens, temperature }: ChatOptions): string {
  const parts = [
    stream ? 'streaming' : 'not streaming',
    effort === '' ? undefined : `reasoning ${effort}`,
    usesTools ? 'tools' : undefined,
    system === '' ? undefined : 'system prompt',
    maxTokens === '' ? undefined : `at most ${maxTokens} tokens`,
    temperature === '' ? undefined : `temperature ${temperature}`,
  ];
  return parts.filter((part) => part !== undefined).join(' · ');
}
