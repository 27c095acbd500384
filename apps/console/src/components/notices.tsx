import { CircleAlert, Inbox } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { ApiError } from '../api/client.ts';
import { isChunkError } from '../lib/chunk-error.ts';
import { MessageText } from './message-text.tsx';

/** Says why there is nothing to show, and in `children` what to do next. */
export function EmptyState({ title, children }: { title: string; children?: ReactNode }): ReactElement {
  return (
    <div className="flex flex-col items-center gap-2 px-6 py-12 text-center">
      <Inbox aria-hidden className="size-7 text-muted" />
      <h2 className="text-base font-semibold">{title}</h2>
      <div className="flex w-full max-w-xl flex-col items-center gap-3 text-muted">{children}</div>
    </div>
  );
}

export function ErrorNotice({ error, onRetry }: { error: Error; onRetry?: (() => void) | undefined }): ReactElement {
  return (
    <div role="alert" className="panel flex items-start gap-3 p-4">
      <CircleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-bad" />
      <div className="min-w-0 flex-1">
        <p className="font-medium">
          <MessageText text={textOf(error)} />
        </p>
        {error instanceof ApiError && error.requestId !== undefined && (
          <p className="mt-1 font-mono text-xs break-all text-muted">{error.requestId}</p>
        )}
      </div>
      {onRetry && (
        <button type="button" className="button" onClick={onRetry}>
          Try again
        </button>
      )}
    </div>
  );
}

function textOf(error: Error): string {
  if (error instanceof ApiError) return error.message;
  if (isChunkError(error))
    return 'Sluice does not respond, or it was updated. Check that it runs, then reload the page.';
  return 'This screen failed. Reload the page.';
}

/** Placeholder of content that is loading. */
export function Skeleton({ className = '' }: { className?: string }): ReactElement {
  return <div aria-hidden className={`animate-pulse rounded-md bg-raised ${className}`} />;
}
