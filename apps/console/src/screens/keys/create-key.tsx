import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { createKey, keysQuery } from '../../api/keys.ts';
import { Dialog } from '../../components/dialog.tsx';
import { KeySettingsForm } from './key-form.tsx';
import { SecretPanel } from './secret-panel.tsx';

/** Creates a key, and shows its secret once. */
export function CreateKeyDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }): ReactElement {
  const client = useQueryClient();
  const creation = useMutation({
    mutationFn: createKey,
    // The secret must not stay in memory after the dialog.
    gcTime: 0,
    onSuccess: () => void client.invalidateQueries({ queryKey: keysQuery.queryKey }),
  });
  const close = (): void => {
    creation.reset();
    onClose();
  };
  return (
    <Dialog
      title={creation.data ? `Key ${creation.data.name} is created` : 'Create key'}
      isOpen={isOpen}
      onClose={close}
      isPersistent={creation.isSuccess}
    >
      {creation.data ? (
        <SecretPanel secret={creation.data.key} onDone={close} />
      ) : (
        <KeySettingsForm
          submitLabel={creation.isPending ? 'Creating…' : 'Create key'}
          isPending={creation.isPending}
          error={creation.error}
          onSubmit={(settings) => creation.mutate(settings)}
        />
      )}
    </Dialog>
  );
}
