import type { ReactElement } from 'react';
import { CopyButton } from './copy-button.tsx';

/** Preformatted text with a button that copies it. @param wraps whether a long line, such as a secret, is shown in full */
export function CodeBlock({
  code,
  what,
  wraps = false,
}: {
  code: string;
  what: string;
  wraps?: boolean;
}): ReactElement {
  return (
    <div className="relative w-full rounded-md border border-line bg-raised text-left text-text">
      {/* A scrollable area needs the focus to be scrolled with the keyboard. */}
      <pre
        tabIndex={0}
        role="group"
        aria-label={what}
        className={`overflow-x-auto p-3 pr-10 font-mono text-xs leading-relaxed ${wraps ? 'break-all whitespace-pre-wrap' : ''}`}
      >
        {code}
      </pre>
      <div className="absolute top-1.5 right-1.5 rounded bg-raised">
        <CopyButton text={code} what={what} />
      </div>
    </div>
  );
}
