import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent, ReactElement } from 'react';
import { createWebhook, EVENTS, type ShownSecret, updateWebhook, type Webhook } from '../../api/webhooks.ts';
import { Dialog } from '../../components/dialog.tsx';
import { TextField } from '../../components/text-field.tsx';
import { useToast } from '../../components/toasts.tsx';
import { MessageText } from '../../components/message-text.tsx';

export interface WebhookFormProps {
  /** Undefined if the dialog is closed. */
  edited: Webhook | 'new' | undefined;
  onClose: () => void;
  onSecret: (secret: ShownSecret) => void;
}

/** Adds or changes a webhook. */
export function WebhookForm({ edited, onClose, onSecret }: WebhookFormProps): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const known = edited === 'new' ? undefined : edited;
  const saving = useMutation({
    mutationFn: async (params: Record<string, unknown>) => {
      if (known) await updateWebhook(known.id, params);
      else onSecret(await createWebhook(params));
    },
    onSuccess: () => {
      if (known) toast({ kind: 'success', title: 'Webhook changed' });
      close();
      return client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  const close = (): void => {
    saving.reset();
    onClose();
  };
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    saving.mutate({ url: form.get('url'), name: form.get('name'), events: form.getAll('events') });
  };
  return (
    <Dialog title={known ? 'Edit webhook' : 'Add webhook'} isOpen={edited !== undefined} onClose={close}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <TextField
          name="url"
          type="url"
          label="URL"
          hint="Your server, with https and a public address"
          value={known?.url ?? ''}
          isRequired
          maxLength={2_048}
        />
        <TextField name="name" label="Name" hint="Optional" value={known?.name ?? ''} maxLength={256} />
        <EventFields selected={known?.events ?? EVENTS} />
        <p role="alert" className="min-h-5 break-words text-bad">
          <MessageText text={saving.error?.message} />
        </p>
        <div className="flex justify-end gap-2">
          <button type="button" className="button" onClick={close}>
            Cancel
          </button>
          <button type="submit" className="button button-primary" disabled={saving.isPending}>
            {known ? 'Save' : 'Add'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

function EventFields({ selected }: { selected: readonly string[] }): ReactElement {
  return (
    <fieldset>
      <legend className="mb-1 font-medium">Events</legend>
      <div className="grid grid-cols-2 gap-1.5">
        {EVENTS.map((event) => (
          <label key={event} className="flex items-center gap-2">
            <input type="checkbox" name="events" value={event} defaultChecked={selected.includes(event)} />
            {event}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
