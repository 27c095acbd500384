import type { ReactElement } from 'react';

/** A message of Sluice, in which backticks are around names and values. */
export function MessageText({ text }: { text: string | undefined }): ReactElement {
  const parts = (text ?? '').split(/`([^`]+)`/);
  return (
    <>
      {parts.map((part, at) =>
        at % 2 === 0 ? (
          part
        ) : (
          <code key={at} className="rounded bg-raised px-1 font-mono text-[0.9em] wrap-anywhere">
            {part}
          </code>
        ),
      )}
    </>
  );
}
