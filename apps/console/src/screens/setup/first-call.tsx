import { Link } from '@tanstack/react-router';
import { Send } from 'lucide-react';
import { type ReactElement, useId } from 'react';
import type { ListedModel } from '../../api/models.ts';
import { Field } from '../../components/form/field.tsx';
import { Section } from '../../components/page-head.tsx';
import { ReplyView } from '../playground/chat/reply-view.tsx';
import { useConversation } from '../playground/chat/use-conversation.ts';
import { ErrorNotice } from '../../components/notices.tsx';
import { RawView } from '../playground/exchange/raw-view.tsx';
import { chatCompletions } from '../playground/protocols/chat-completions.ts';
import { CopyAs } from '../playground/snippets/copy-as.tsx';

const PROMPT = 'Say hello in one short sentence.';

export interface FirstCallProps {
  /** Models of text. */
  models: readonly ListedModel[];
  model: string;
  onModel: (id: string) => void;
}

/** Sends one message to a model. */
export function FirstCall({ models, model, onModel }: FirstCallProps): ReactElement {
  const listId = useId();
  const { turns, draft, error, exchange, start } = useConversation();
  const last = turns.at(-1);
  const reply = draft ?? (last?.role === 'assistant' ? last.reply : undefined);
  const settings = { model, system: '', stream: true, effort: '', maxTokens: undefined, temperature: undefined, tools: [] } as const; // prettier-ignore
  const call = (): void => void start({ role: 'user', text: PROMPT, images: [] }, chatCompletions, settings);
  return (
    <Section title="First call" aside={`“${PROMPT}”`}>
      <div className="flex flex-wrap items-end gap-3 p-4">
        <Field label="Model" className="w-full sm:w-72">
          {(id) => (
            <>
              <input
                key={model}
                id={id}
                list={listId}
                className="field w-full"
                defaultValue={model}
                placeholder="Name of a model"
                autoComplete="off"
                spellCheck={false}
                onBlur={(event) => event.target.value.trim() !== model && onModel(event.target.value.trim())}
              />
              <datalist id={listId}>
                {models.map((one) => (
                  <option key={one.id} value={one.id} />
                ))}
              </datalist>
            </>
          )}
        </Field>
        <button
          type="button"
          className="button button-primary"
          disabled={model === '' || draft !== undefined}
          onClick={call}
        >
          <Send aria-hidden className="size-4" /> Send a message
        </button>
        <Link to="/playground" search={{ model }} className="button">
          Open the playground
        </Link>
      </div>
      {(reply ?? error) && (
        <div className="flex flex-col gap-3 border-t border-line p-4" role="status">
          {reply && <ReplyView reply={reply} isRunning={draft !== undefined} />}
          {error && <ErrorNotice error={error} onRetry={call} />}
        </div>
      )}
      {exchange && <RawView exchange={exchange} />}
      {exchange && <CopyAs request={exchange.request} />}
    </Section>
  );
}
