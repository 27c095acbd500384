import { RotateCcw } from 'lucide-react';
import type { ReactElement } from 'react';
import { ErrorNotice } from '../../../components/notices.tsx';
import { RawView } from '../exchange/raw-view.tsx';
import type { ToolResult } from '../protocols/text-protocol.ts';
import { CopyAs } from '../snippets/copy-as.tsx';
import { ReplyView } from './reply-view.tsx';
import { ToolResultForm } from './tool-result-form.tsx';
import { type Conversation, pendingCalls } from './use-conversation.ts';
import { UserTurn } from './user-turn.tsx';

export interface ConversationViewProps {
  model: string;
  conversation: Conversation;
  onResults: (results: readonly ToolResult[]) => void;
  onRetry: () => void;
}

/** The turns with one model, and the last request in detail. */
export function ConversationView({ model, conversation, onResults, onRetry }: ConversationViewProps): ReactElement {
  const { turns, draft, error, exchange } = conversation;
  const last = turns.at(-1);
  const pending = pendingCalls(conversation);
  return (
    <section aria-label={`Conversation with ${model}`} className="panel min-w-0">
      <div className="flex items-center justify-between gap-3 border-b border-line px-4 py-2.5">
        <h2 className="truncate font-semibold">{model}</h2>
        {turns.length > 0 && !draft && (
          <button type="button" className="button h-7 px-2" onClick={onRetry}>
            <RotateCcw aria-hidden className="size-3.5" /> Run again
          </button>
        )}
      </div>
      <div className="flex flex-col gap-5 p-4" role="log" aria-live="off" aria-label="Messages">
        {turns.length === 0 && (
          <p className="py-8 text-center text-muted">Enter a message below. It is sent with your session.</p>
        )}
        {turns.map((turn, at) =>
          turn.role === 'assistant' ? <ReplyView key={at} reply={turn.reply} /> : <UserTurn key={at} turn={turn} />,
        )}
        {draft && <ReplyView reply={draft} isRunning />}
        {pending.length > 0 && <ToolResultForm key={turns.length} model={model} calls={pending} onSend={onResults} />}
        {error && <ErrorNotice error={error} onRetry={onRetry} />}
      </div>
      {/* Announces the end only, because a stream would interrupt a screen reader with each word. */}
      <p role="status" className="sr-only">
        {draft
          ? `${model} is responding`
          : last?.role === 'assistant'
            ? `${model} has responded: ${last.reply.text}`
            : ''}
      </p>
      {exchange && <RawView exchange={exchange} />}
      {exchange && <CopyAs request={exchange.request} />}
    </section>
  );
}
