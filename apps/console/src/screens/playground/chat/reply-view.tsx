import { Wrench } from 'lucide-react';
import type { ReactElement } from 'react';
import { formatCount } from '../../../lib/format.ts';
import { formatBody } from '../exchange/shown-request.ts';
import type { Reply } from '../protocols/text-protocol.ts';

/** A response: its reasoning, text, images, and tool calls. */
export function ReplyView({ reply, isRunning = false }: { reply: Reply; isRunning?: boolean }): ReactElement {
  const { text, reasoning, toolCalls, images } = reply;
  const isEmpty = text === '' && reasoning === '' && toolCalls.length === 0 && images.length === 0;
  return (
    <div className="flex min-w-0 flex-col gap-3" aria-busy={isRunning}>
      {reasoning !== '' && (
        <details open={isRunning || text === ''} className="rounded-md border border-line">
          <summary className="cursor-pointer px-3 py-2 text-xs font-medium text-muted">Reasoning</summary>
          <p className="px-3 pb-3 break-words whitespace-pre-wrap text-muted">{reasoning}</p>
        </details>
      )}
      {text !== '' && <p className="break-words whitespace-pre-wrap">{text}</p>}
      {images.map((url, at) => (
        <img key={at} src={url} alt={`Response ${at + 1}`} className="max-w-full rounded-md" />
      ))}
      {toolCalls.map(({ id, name, args }, at) => (
        <div key={id || at} className="rounded-md border border-line">
          <p className="flex items-center gap-2 border-b border-line px-3 py-1.5 text-xs">
            <Wrench aria-hidden className="size-3.5 text-muted" />
            <span className="text-muted">Tool call</span> <span className="font-mono font-medium">{name}</span>
          </p>
          <pre
            className="overflow-x-auto p-3 font-mono text-xs"
            tabIndex={0}
            role="group"
            aria-label={`Arguments of ${name}`}
          >
            {formatBody(args)}
          </pre>
        </div>
      ))}
      {isEmpty && <p className="text-muted">{isRunning ? 'Waiting for the first event…' : 'The response is empty.'}</p>}
      {!isRunning && <Facts reply={reply} />}
    </div>
  );
}

function Facts({ reply: { finish, usage } }: { reply: Reply }): ReactElement {
  const tokens = [usage?.input, usage?.output].map((count) => (count === undefined ? '?' : formatCount(count)));
  const parts = [finish, usage && `${tokens.join(' → ')} tokens`].filter((part) => part !== undefined && part !== '');
  return <p className="text-xs text-muted">{parts.join(' · ')}</p>;
}
