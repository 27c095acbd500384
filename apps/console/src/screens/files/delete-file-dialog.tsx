import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { deleteFile, type ListedFile } from '../../api/files.ts';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { useToast } from '../../components/toasts.tsx';

export interface DeleteFileDialogProps {
  /** Undefined if the dialog is closed. */
  file: ListedFile | undefined;
  onClose: () => void;
}

export function DeleteFileDialog({ file, onClose }: DeleteFileDialogProps): ReactElement {
  const client = useQueryClient();
  const toast = useToast();
  const deleting = useMutation({
    mutationFn: deleteFile,
    onSuccess: () => toast({ kind: 'success', title: 'File deleted' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not delete the file', error }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['files'] });
    },
  });
  return (
    <ConfirmDialog
      title="Delete this file?"
      action="Delete file"
      isOpen={file !== undefined}
      isPending={deleting.isPending}
      onConfirm={() => file && deleting.mutate(file.id)}
      onClose={onClose}
    >
      <p>
        <strong className="break-all">{file?.filename}</strong> cannot be restored, and requests that refer to it fail.
        Sluice also deletes its copies at vendors.
      </p>
    </ConfirmDialog>
  );
}
