import { X } from 'lucide-react';
import { type ReactElement, type ReactNode, useEffect, useId, useRef } from 'react';

export interface DialogProps {
  title: string;
  isOpen: boolean;
  onClose: () => void;
  /** Whether only its buttons close it, so that content which is shown once is not lost by accident. */
  isPersistent?: boolean;
  /** `large` is for text that has long lines. */
  size?: 'normal' | 'large';
  children: ReactNode;
}

/** A modal dialog. The browser keeps the focus in it, closes it with Escape, and returns the focus. */
export function Dialog({
  title,
  isOpen,
  onClose,
  isPersistent = false,
  size = 'normal',
  children,
}: DialogProps): ReactElement {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    if (isOpen) ref.current?.showModal();
    else ref.current?.close();
  }, [isOpen]);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={onClose}
      onCancel={(event) => isPersistent && event.preventDefault()}
      onClick={(event) => event.target === event.currentTarget && !isPersistent && onClose()}
      className={`panel w-full shadow-xl max-sm:max-w-[calc(100vw-2rem)] ${size === 'large' ? 'max-w-2xl' : 'max-w-md'}`}
    >
      <div className="p-5">
        <div className="mb-4 flex items-center justify-between gap-4">
          <h2 id={titleId} className="text-base font-semibold">
            {title}
          </h2>
          <button type="button" className="button border-transparent px-2" aria-label="Close" onClick={onClose}>
            <X aria-hidden className="size-4" />
          </button>
        </div>
        {isOpen && children}
      </div>
    </dialog>
  );
}
