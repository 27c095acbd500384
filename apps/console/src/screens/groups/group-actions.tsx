import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { cancelGroup, type GroupDetails, retryGroup } from '../../api/groups.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CheckField } from '../../components/form/field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { formatNumberOf } from '../../lib/format.ts';

type Action = 'cancel' | 'retry';

/** Cancels all videos, and creates the failed ones again. A viewer has no actions. */
export function GroupActions({ group }: { group: GroupDetails }): ReactElement | null {
  const { role } = useSession();
  const [selected, setSelected] = useState<Action>();
  const failed = group.counts.failed;
  const canCancel = group.status === 'in_progress';
  const canRetry = failed > 0 && (group.status === 'in_progress' || group.status === 'completed');
  if (role === 'viewer' || !(canCancel || canRetry)) return null;
  return (
    <>
      {canRetry && (
        <button type="button" className="button" onClick={() => setSelected('retry')}>
          Retry failed
        </button>
      )}
      {canCancel && (
        <button type="button" className="button" onClick={() => setSelected('cancel')}>
          Cancel all
        </button>
      )}
      <CancelDialog id={group.id} isOpen={selected === 'cancel'} onClose={() => setSelected(undefined)} />
      <RetryDialog id={group.id} failed={failed} isOpen={selected === 'retry'} onClose={() => setSelected(undefined)} />
    </>
  );
}

interface ActionProps {
  id: string;
  isOpen: boolean;
  onClose: () => void;
}

function useGroupAction({ id, onClose }: ActionProps, done: string, failure: string) {
  const toast = useToast();
  const client = useQueryClient();
  return {
    onSuccess: () => toast({ kind: 'success', title: done }),
    onError: (error: Error) => toast({ kind: 'error', title: failure, error }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['group', id] });
    },
  };
}

function CancelDialog(props: ActionProps): ReactElement {
  const all = isOperator(useSession());
  const { id, isOpen, onClose } = props;
  const canceling = useMutation({
    mutationFn: () => cancelGroup(id, all),
    ...useGroupAction(props, 'Cancelation requested', 'Could not cancel the group'),
  });
  return (
    <ConfirmDialog
      title="Cancel all videos that have not ended?"
      action="Cancel all"
      isOpen={isOpen}
      isPending={canceling.isPending}
      onConfirm={() => canceling.mutate()}
      onClose={onClose}
    >
      <p>
        Completed videos stay. If the vendor has already started a video, the vendor may still charge for it. A canceled
        group cannot be retried.
      </p>
    </ConfirmDialog>
  );
}

function RetryDialog(props: ActionProps & { failed: number }): ReactElement {
  const all = isOperator(useSession());
  const { id, failed, isOpen, onClose } = props;
  const [retriesUnknown, setRetriesUnknown] = useState(false);
  const retrying = useMutation({
    mutationFn: () => retryGroup(id, all, retriesUnknown),
    ...useGroupAction(props, 'Failed videos are created again', 'Could not retry the videos'),
  });
  return (
    <ConfirmDialog
      title={`Create ${formatNumberOf(failed, 'failed video')} again?`}
      action="Retry failed"
      isOpen={isOpen}
      isPending={retrying.isPending}
      onConfirm={() => retrying.mutate()}
      onClose={onClose}
    >
      <p>Each video is a new task, which can cost again. The failed tasks stay.</p>
      <CheckField
        label="Also retry videos whose submission was lost. The vendor may have received them, so they can cost twice."
        className="mt-4"
        checked={retriesUnknown}
        onChange={setRetriesUnknown}
      />
    </ConfirmDialog>
  );
}
