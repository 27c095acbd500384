import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { type Batch, cancelBatch, pauseBatch } from '../../api/batches.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useToast } from '../../components/toasts.tsx';
import { isEndedBatch } from './batch-status.tsx';

/** Pauses, resumes, and cancels a batch. A viewer has no actions. */
export function BatchActions({ batch }: { batch: Batch }): ReactElement | null {
  const session = useSession();
  const all = isOperator(session);
  const { id, status, paused } = batch;
  const [isOpen, setOpen] = useState(false);
  const toast = useToast();
  const client = useQueryClient();
  const refresh = () => client.invalidateQueries({ queryKey: ['batch', id] });
  const pausing = useMutation({
    mutationFn: () => pauseBatch(id, all, !paused),
    onSuccess: () => toast({ kind: 'success', title: paused ? 'Batch resumed' : 'Batch paused' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not change the batch', error }),
    onSettled: refresh,
  });
  const canceling = useMutation({
    mutationFn: () => cancelBatch(id, all),
    onSuccess: () => toast({ kind: 'success', title: 'Cancelation requested' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not cancel the batch', error }),
    onSettled: () => {
      setOpen(false);
      return refresh();
    },
  });
  if (session.role === 'viewer' || isEndedBatch(batch) || status === 'cancelling' || status === 'finalizing')
    return null;
  return (
    <>
      <button type="button" className="button" disabled={pausing.isPending} onClick={() => pausing.mutate()}>
        {paused ? 'Resume' : 'Pause'}
      </button>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Cancel batch
      </button>
      <ConfirmDialog
        title="Cancel this batch?"
        action="Cancel batch"
        isOpen={isOpen}
        isPending={canceling.isPending}
        onConfirm={() => canceling.mutate()}
        onClose={() => setOpen(false)}
      >
        <p>
          Requests that have been sent end first, and are paid for. The others are not sent. The results so far are in
          the files. A canceled batch cannot be resumed.
        </p>
      </ConfirmDialog>
    </>
  );
}
