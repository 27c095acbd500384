import type { ReactElement } from 'react';
import type { Turn } from '../protocols/text-protocol.ts';

/** A message of the user, or results of tools. */
export function UserTurn({ turn }: { turn: Exclude<Turn, { role: 'assistant' }> }): ReactElement {
  if (turn.role === 'tool') {
    return (
      <div className="flex flex-col gap-2">
        {turn.results.map(({ call, output }) => (
          <div key={call.id} className="rounded-md border border-line bg-raised px-3 py-2">
            <p className="text-xs text-muted">
              Result of <span className="font-mono">{call.name}</span>
            </p>
            <p className="font-mono text-xs break-words whitespace-pre-wrap">{output}</p>
          </div>
        ))}
      </div>
    );
  }
  return (
    <div className="ml-8 self-end rounded-lg bg-raised px-3.5 py-2.5">
      {turn.images.length > 0 && (
        <div className="mb-2 flex flex-wrap gap-2">
          {turn.images.map((url, at) => (
            <img key={url} src={url} alt={`Sent image ${at + 1}`} className="max-h-40 rounded-md" />
          ))}
        </div>
      )}
      <p className="break-words whitespace-pre-wrap">{turn.text}</p>
    </div>
  );
}
