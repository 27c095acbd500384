import { Check, Copy } from 'lucide-react';
import { type ReactElement, useEffect, useState } from 'react';
import { useToast } from './toasts.tsx';

const SHOWN_MS = 1_500;

/** @param what names the text for screen readers, e.g. `request id` */
export function CopyButton({ text, what }: { text: string; what: string }): ReactElement {
  const [isCopied, setCopied] = useState(false);
  const toast = useToast();
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
    } catch {
      toast({ kind: 'error', title: 'The browser refused access to the clipboard.' });
    }
  };
  const Icon = isCopied ? Check : Copy;
  return (
    <button
      type="button"
      className="rounded p-1 text-muted hover:bg-raised hover:text-text"
      aria-label={isCopied ? 'Copied' : `Copy ${what}`}
      onClick={() => void copy()}
    >
      <Icon aria-hidden className="size-3.5" />
    </button>
  );
}
