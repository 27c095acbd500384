import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { retrieveCallbackSecret, type ShownSecret } from '../../api/webhooks.ts';
import { Section } from '../../components/page-head.tsx';
import { useToast } from '../../components/toasts.tsx';
import { RotateDialog } from './rotate-dialog.tsx';

/** The secret that signs the callbacks of single requests. */
export function CallbackSecret({ onSecret }: { onSecret: (secret: ShownSecret) => void }): ReactElement {
  const toast = useToast();
  const [isRotating, setRotating] = useState(false);
  const reading = useMutation({
    mutationFn: retrieveCallbackSecret,
    onSuccess: onSecret,
    onError: (error) => toast({ kind: 'error', title: 'Could not read the secret', error }),
  });
  return (
    <Section title="Callback secret">
      <div className="flex flex-wrap items-center justify-between gap-3 p-4">
        <p className="min-w-0 text-muted">
          Signs deliveries to the <code className="font-mono text-xs">callback_url</code> of a request.
        </p>
        <div className="flex gap-2">
          <button type="button" className="button" disabled={reading.isPending} onClick={() => reading.mutate()}>
            Show
          </button>
          <button type="button" className="button" onClick={() => setRotating(true)}>
            Rotate
          </button>
        </div>
      </div>
      <RotateDialog
        id={undefined}
        what="Every server that receives callbacks"
        isOpen={isRotating}
        onClose={() => setRotating(false)}
        onSecret={onSecret}
      />
    </Section>
  );
}
