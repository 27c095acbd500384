import { TriangleAlert } from 'lucide-react';
import type { ReactElement, ReactNode } from 'react';
import { Dialog } from './dialog.tsx';

export interface ConfirmDialogProps {
  title: string;
  isOpen: boolean;
  /** Names the action, e.g. `End session`. */
  action: string;
  isPending: boolean;
  onConfirm: () => void;
  onClose: () => void;
  /** What happens, and what cannot be undone. */
  children: ReactNode;
}

/** Asks before a change that cannot be undone. */
export function ConfirmDialog(props: ConfirmDialogProps): ReactElement {
  const { title, isOpen, action, isPending, onConfirm, onClose, children } = props;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <div className="flex gap-3">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
        <div>{children}</div>
      </div>
      <div className="mt-6 flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" className="button button-danger" disabled={isPending} onClick={onConfirm}>
          {action}
        </button>
      </div>
    </Dialog>
  );
}
