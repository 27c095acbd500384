import * as Toast from '@radix-ui/react-toast';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactElement, type ReactNode, useCallback, useContext, useState } from 'react';
import { MessageText } from './message-text.tsx';

export interface ToastMessage {
  kind: 'success' | 'error';
  title: string;
  /** Its message is shown below the title. */
  error?: unknown;
}

interface ShownToast extends ToastMessage {
  id: number;
}

const ToastContext = createContext<(message: ToastMessage) => void>(() => undefined);

/** Returns a function that shows a message at the edge of the window. Screen readers announce it. */
export function useToast(): (message: ToastMessage) => void {
  return useContext(ToastContext);
}

const DURATION_MS = 5_000;

/** Shows the messages of {@link useToast}. */
export function Toasts({ children }: { children: ReactNode }): ReactElement {
  const [shown, setShown] = useState<readonly ShownToast[]>([]);
  const show = useCallback((message: ToastMessage) => {
    setShown((now) => [...now, { ...message, id: (now.at(-1)?.id ?? 0) + 1 }]);
  }, []);
  const remove = (id: number): void => setShown((now) => now.filter((one) => one.id !== id));
  return (
    <ToastContext value={show}>
      <Toast.Provider duration={DURATION_MS}>
        {children}
        {shown.map((toast) => (
          <ToastPanel key={toast.id} toast={toast} onClose={() => remove(toast.id)} />
        ))}
        <Toast.Viewport className="fixed right-4 bottom-16 z-40 flex w-80 max-w-[calc(100vw-2rem)] flex-col gap-2 lg:bottom-4" />
      </Toast.Provider>
    </ToastContext>
  );
}

function ToastPanel({ toast, onClose }: { toast: ShownToast; onClose: () => void }): ReactElement {
  const { kind, title, error } = toast;
  const Icon = kind === 'error' ? CircleAlert : CircleCheck;
  return (
    <Toast.Root onOpenChange={(isOpen) => isOpen || onClose()} className="panel flex items-start gap-2.5 p-3 shadow-lg">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${kind === 'error' ? 'text-bad' : 'text-ok'}`} />
      <div className="min-w-0 flex-1">
        <Toast.Title className="font-medium">{title}</Toast.Title>
        {error instanceof Error && (
          <Toast.Description className="text-muted">
            <MessageText text={error.message} />
          </Toast.Description>
        )}
      </div>
      <Toast.Close aria-label="Dismiss" className="text-muted hover:text-text">
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  );
}
