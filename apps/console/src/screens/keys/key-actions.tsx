import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Ban, Pencil, RefreshCw } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { changeKey, type Key, keysQuery, revokeKey, rotateKey } from '../../api/keys.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { KeySettingsForm } from './key-form.tsx';
import { SecretPanel } from './secret-panel.tsx';
import { MessageText } from '../../components/message-text.tsx';

type Action = 'edit' | 'rotate' | 'revoke';

const GRACES = [
  { value: '0', title: 'End now' },
  { value: '3600', title: 'Valid for 1 hour' },
  { value: '86400', title: 'Valid for 24 hours' },
  { value: '604800', title: 'Valid for 7 days' },
];

interface DialogProps {
  shown: Key;
  /** The id of a stored key. */
  id: string;
  isOpen: boolean;
  onClose: () => void;
}

/** Buttons that change a stored key, with their dialogs. */
export function KeyActions({ shown, id }: { shown: Key; id: string }): ReactElement | null {
  const [open, setOpen] = useState<Action>();
  const propsOf = (action: Action): DialogProps => ({
    shown,
    id,
    isOpen: open === action,
    onClose: () => setOpen(undefined),
  });
  if (shown.status === 'revoked') return null;
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen('edit')}>
        <Pencil aria-hidden className="size-4" /> Edit
      </button>
      <button type="button" className="button" onClick={() => setOpen('rotate')}>
        <RefreshCw aria-hidden className="size-4" /> Rotate secret
      </button>
      <button type="button" className="button text-bad" onClick={() => setOpen('revoke')}>
        <Ban aria-hidden className="size-4" /> Revoke
      </button>
      <EditDialog {...propsOf('edit')} />
      <RotateDialog {...propsOf('rotate')} />
      <RevokeDialog {...propsOf('revoke')} />
    </>
  );
}

function EditDialog({ shown, id, isOpen, onClose }: DialogProps): ReactElement {
  const refresh = useRefresh();
  const toast = useToast();
  const change = useMutation({
    mutationFn: ({ name: _name, ...settings }: Parameters<typeof changeKey>[1] & { name: string }) =>
      changeKey(id, settings),
    onSuccess: () => {
      refresh();
      toast({ kind: 'success', title: `Key ${shown.name} is changed.` });
      onClose();
    },
  });
  return (
    <Dialog title={`Edit ${shown.name}`} isOpen={isOpen} onClose={onClose}>
      <KeySettingsForm
        before={shown}
        submitLabel={change.isPending ? 'Saving…' : 'Save'}
        isPending={change.isPending}
        error={change.error}
        onSubmit={(settings) => change.mutate(settings)}
      />
    </Dialog>
  );
}

function RotateDialog({ shown, id, isOpen, onClose }: DialogProps): ReactElement {
  const refresh = useRefresh();
  const [grace, setGrace] = useState('86400');
  const rotation = useMutation({
    mutationFn: () => rotateKey(id, Number(grace)),
    // The secret must not stay in memory after the dialog.
    gcTime: 0,
    onSuccess: refresh,
  });
  const close = (): void => {
    rotation.reset();
    onClose();
  };
  return (
    <Dialog
      title={`Rotate the secret of ${shown.name}`}
      isOpen={isOpen}
      onClose={close}
      isPersistent={rotation.isSuccess}
    >
      {rotation.data ? (
        <SecretPanel secret={rotation.data.key} onDone={close} />
      ) : (
        <div className="flex flex-col gap-4">
          <p>
            The key gets a new secret. Tasks, budget, and settings stay. The console sessions of the old secret end with
            it.
          </p>
          <SelectField label="The old secret" value={grace} options={GRACES} onChange={setGrace} />
          <div role="alert" className="text-bad">
            <MessageText text={rotation.error?.message} />
          </div>
          <button
            type="button"
            className="button button-primary"
            disabled={rotation.isPending}
            onClick={() => rotation.mutate()}
          >
            {rotation.isPending ? 'Rotating…' : 'Rotate secret'}
          </button>
        </div>
      )}
    </Dialog>
  );
}

function RevokeDialog({ shown, id, isOpen, onClose }: DialogProps): ReactElement {
  const refresh = useRefresh();
  const toast = useToast();
  const revocation = useMutation({
    mutationFn: () => revokeKey(id),
    onSuccess: () => {
      refresh();
      toast({ kind: 'success', title: `Key ${shown.name} is revoked.` });
      onClose();
    },
    onError: (error) => toast({ kind: 'error', title: 'Could not revoke the key', error }),
  });
  return (
    <ConfirmDialog
      title={`Revoke ${shown.name}?`}
      action="Revoke key"
      isOpen={isOpen}
      isPending={revocation.isPending}
      onConfirm={() => revocation.mutate()}
      onClose={onClose}
    >
      <p>
        New requests with this key fail at once, its webhooks stop, and its name cannot be used again. Tasks that have
        begun can finish. This cannot be undone.
      </p>
    </ConfirmDialog>
  );
}

function useRefresh(): () => void {
  const client = useQueryClient();
  return () => void client.invalidateQueries({ queryKey: keysQuery.queryKey });
}
