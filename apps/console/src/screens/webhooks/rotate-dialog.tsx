import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { rotateSecret, type ShownSecret } from '../../api/webhooks.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { CheckField } from '../../components/form/field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { useWebhookRights } from './use-webhook-rights.ts';

export interface RotateDialogProps {
  /** A webhook, or undefined for the secret of callbacks. */
  id: string | undefined;
  /** The receiver, for the text. */
  what: string;
  isOpen: boolean;
  onClose: () => void;
  onSecret: (secret: ShownSecret) => void;
}

export function RotateDialog({ id, what, isOpen, onClose, onSecret }: RotateDialogProps): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const { all } = useWebhookRights();
  const [keepsPrevious, setKeepsPrevious] = useState(true);
  const rotating = useMutation({
    mutationFn: () => rotateSecret(id, { keepsPrevious, all }),
    onSuccess: onSecret,
    onError: (error) => toast({ kind: 'error', title: 'Could not rotate the secret', error }),
    onSettled: () => {
      onClose();
      setKeepsPrevious(true);
      return client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <ConfirmDialog
      title="Rotate the secret?"
      action="Rotate secret"
      isOpen={isOpen}
      isPending={rotating.isPending}
      onConfirm={() => rotating.mutate()}
      onClose={onClose}
    >
      <p className="mb-3">
        <strong className="break-all">{what}</strong> must verify deliveries with the new secret.
      </p>
      <CheckField
        label="Keep signing with the previous secret, too, until you have replaced it. Clear this if the secret leaked."
        checked={keepsPrevious}
        onChange={setKeepsPrevious}
      />
    </ConfirmDialog>
  );
}
