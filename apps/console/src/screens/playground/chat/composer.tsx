import { ImagePlus, Send, Square, X } from 'lucide-react';
import { type KeyboardEvent, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useToast } from '../../../components/toasts.tsx';
import type { Turn } from '../protocols/text-protocol.ts';
import { readDataUrl } from './read-data-url.ts';

export interface ComposerProps {
  isRunning: boolean;
  /** Why no message can be sent now. */
  blocked: string | undefined;
  onSend: (turn: Turn) => void;
  onStop: () => void;
  children?: ReactNode;
}

/** The next message, with images. Enter sends it, and Shift and Enter starts a line. */
export function Composer({ isRunning, blocked, onSend, onStop, children }: ComposerProps): ReactElement {
  const [text, setText] = useState('');
  const [images, setImages] = useState<readonly string[]>([]);
  const isEmpty = text.trim() === '' && images.length === 0;
  const send = (): void => {
    if (isEmpty || isRunning || blocked !== undefined) return;
    onSend({ role: 'user', text: text.trim(), images });
    setText('');
    setImages([]);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    // Enter also confirms the text of an input method.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <div className="panel sticky bottom-16 flex flex-col gap-2 p-3 shadow-lg lg:bottom-4">
      <textarea
        aria-label="Message"
        rows={2}
        className="field h-auto max-h-60 w-full resize-y py-1.5"
        placeholder="Message. Enter sends it, and Shift+Enter starts a new line."
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {blocked !== undefined && (
        <p role="status" className="text-warn">
          {blocked}
        </p>
      )}
      <AttachedImages images={images} onRemove={(at) => setImages(images.filter((_, index) => index !== at))} />
      <div className="flex flex-wrap items-center gap-2">
        <AttachButton onAdd={(added) => setImages([...images, ...added])} />
        {children}
        <span className="flex-1" />
        {isRunning ? (
          <button type="button" className="button" onClick={onStop}>
            <Square aria-hidden className="size-4" /> Stop
          </button>
        ) : (
          <button
            type="button"
            className="button button-primary"
            disabled={isEmpty || blocked !== undefined}
            onClick={send}
          >
            <Send aria-hidden className="size-4" /> Send
          </button>
        )}
      </div>
    </div>
  );
}

function AttachButton({ onAdd }: { onAdd: (urls: readonly string[]) => void }): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  const toast = useToast();
  const add = async (files: readonly File[]): Promise<void> => {
    try {
      onAdd(await Promise.all(files.map(readDataUrl)));
    } catch (error) {
      toast({ kind: 'error', title: 'The image could not be read', error });
    }
  };
  return (
    <>
      <button type="button" className="button" onClick={() => input.current?.click()}>
        <ImagePlus aria-hidden className="size-4" /> Image
      </button>
      <input
        ref={input}
        type="file"
        accept="image/*"
        multiple
        hidden
        aria-label="Images"
        onChange={(event) => {
          void add([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}

function AttachedImages({
  images,
  onRemove,
}: {
  images: readonly string[];
  onRemove: (at: number) => void;
}): ReactElement | null {
  if (images.length === 0) return null;
  return (
    <ul className="flex flex-wrap gap-2">
      {images.map((url, at) => (
        <li key={url} className="relative">
          <img
            src={url}
            alt={`Attached image ${at + 1}`}
            className="size-16 rounded-md border border-line object-cover"
          />
          <button
            type="button"
            className="absolute -top-1.5 -right-1.5 rounded-full border border-line bg-surface p-0.5"
            aria-label={`Remove image ${at + 1}`}
            onClick={() => onRemove(at)}
          >
            <X aria-hidden className="size-3" />
          </button>
        </li>
      ))}
    </ul>
  );
}
