import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { actOnTask, cancelTask, type OperatorAction, type TaskDetails } from '../../api/tasks.ts';
import { useSession } from '../../app/use-session.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useToast } from '../../components/toasts.tsx';
import { ActionForm } from './action-form.tsx';
import { isEnded } from './task-status.tsx';

const TITLES: Readonly<Record<OperatorAction, string>> = {
  adopt: 'Adopt a job',
  resubmit: 'Resubmit',
  fail: 'Fail',
  cancel: 'Cancel task',
};

/** What the task's state allows: the holder cancels, and an operator also decides about lost submissions. */
export function TaskActions({ task }: { task: TaskDetails }): ReactElement | null {
  const { role } = useSession();
  const [selected, setSelected] = useState<OperatorAction>();
  const close = (): void => setSelected(undefined);
  const actions = actionsOf(task, role);
  if (actions.length === 0) return null;
  return (
    <>
      {actions.map((action) => (
        <button key={action} type="button" className="button" onClick={() => setSelected(action)}>
          {TITLES[action]}
        </button>
      ))}
      {role === 'holder' ? (
        <CancelDialog task={task} isOpen={selected === 'cancel'} onClose={close} />
      ) : (
        <OperatorDialogs task={task} selected={selected} onClose={close} />
      )}
    </>
  );
}

/** The table of docs/operate/task-operations.md. */
function actionsOf({ status, error }: TaskDetails, role: string): readonly OperatorAction[] {
  const canCancel = !isEnded(status) && status !== 'finishing' && status !== 'canceling';
  const cancel: OperatorAction[] = canCancel ? ['cancel'] : [];
  if (role === 'viewer') return [];
  if (role === 'holder') return cancel;
  if (isEnded(status)) return status === 'failed' && error?.code === 'submission_unknown' ? ['adopt'] : [];
  const decisions: OperatorAction[] = status === 'submit_unknown' ? ['adopt', 'resubmit'] : [];
  return [...decisions, 'fail', ...cancel];
}

interface DialogProps {
  task: TaskDetails;
  isOpen: boolean;
  onClose: () => void;
}

function CancelDialog({ task, isOpen, onClose }: DialogProps): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const canceling = useMutation({
    mutationFn: cancelTask,
    onSuccess: () => toast({ kind: 'success', title: 'Cancelation requested' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not cancel the task', error }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['task', task.id] });
    },
  });
  return (
    <ConfirmDialog
      title="Cancel this task?"
      action="Cancel task"
      isOpen={isOpen}
      isPending={canceling.isPending}
      onConfirm={() => canceling.mutate(task.id)}
      onClose={onClose}
    >
      <p>A canceled task has no files. If the vendor has already started it, the vendor may still charge for it.</p>
    </ConfirmDialog>
  );
}

interface OperatorDialogProps {
  task: TaskDetails;
  selected: OperatorAction | undefined;
  onClose: () => void;
}

function OperatorDialogs({ task, selected, onClose }: OperatorDialogProps): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const acting = useMutation({
    mutationFn: (body: Record<string, unknown>) => actOnTask(task.id, selected ?? 'cancel', body),
    onSuccess: ({ changed }) => {
      toast({ kind: 'success', title: changed ? 'Done' : 'It was already done' });
      onClose();
      return client.invalidateQueries({ queryKey: ['task', task.id] });
    },
  });
  const close = (): void => {
    acting.reset();
    onClose();
  };
  return (
    <ActionForm
      task={task}
      action={selected}
      title={selected === undefined ? '' : TITLES[selected]}
      error={acting.error}
      isPending={acting.isPending}
      onSubmit={(body) => acting.mutate(body)}
      onClose={close}
    />
  );
}
