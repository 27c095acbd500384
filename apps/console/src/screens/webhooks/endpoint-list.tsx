import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Ellipsis, KeyRound, Pause, Pencil, Play, Trash2 } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { deleteWebhook, type ShownSecret, testWebhook, updateWebhook, type Webhook } from '../../api/webhooks.ts';
import { Badge } from '../../components/badge.tsx';
import { ConfirmDialog } from '../../components/confirm-dialog.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../components/menu.tsx';
import { EmptyState, Skeleton } from '../../components/notices.tsx';
import { Section } from '../../components/page-head.tsx';
import { useToast } from '../../components/toasts.tsx';
import { formatCount } from '../../lib/format.ts';
import { RotateDialog } from './rotate-dialog.tsx';
import { useWebhookRights } from './use-webhook-rights.ts';

export interface EndpointListProps {
  /** Undefined while they load. */
  webhooks: readonly Webhook[] | undefined;
  /** Whether there are more than are shown. */
  hasMore: boolean;
  onEdit: (webhook: Webhook) => void;
  onSecret: (secret: ShownSecret) => void;
}

/** The webhooks with their actions. */
export function EndpointList({ webhooks, hasMore, onEdit, onSecret }: EndpointListProps): ReactElement {
  const { all } = useWebhookRights();
  const [rotated, setRotated] = useState<Webhook>();
  const [deleted, setDeleted] = useState<Webhook>();
  return (
    <Section title="Endpoints" aside={`Receive the events of everything that ${all ? 'their' : 'this'} key creates`}>
      {webhooks === undefined && <Skeleton className="m-4 h-16" />}
      {webhooks?.length === 0 && (
        <EmptyState title="No webhooks yet">
          <p>
            {all
              ? 'The holder of a key adds a webhook to receive an event when a task, a response, a batch, or a group ends.'
              : 'Add the address of your server to receive an event when a task, a response, a batch, or a group ends.'}
          </p>
        </EmptyState>
      )}
      <ul className="divide-y divide-line">
        {webhooks?.map((webhook) => (
          <Endpoint
            key={webhook.id}
            webhook={webhook}
            onEdit={() => onEdit(webhook)}
            onRotate={() => setRotated(webhook)}
            onDelete={() => setDeleted(webhook)}
          />
        ))}
      </ul>
      {hasMore && (
        <p className="border-t border-line px-4 py-2.5 text-muted">
          These are the first {formatCount(webhooks?.length ?? 0)}. Filter by API key to see others.
        </p>
      )}
      <RotateDialog
        id={rotated?.id}
        what={rotated?.url ?? ''}
        isOpen={rotated !== undefined}
        onClose={() => setRotated(undefined)}
        onSecret={onSecret}
      />
      <DeleteDialog webhook={deleted} onClose={() => setDeleted(undefined)} />
    </Section>
  );
}

interface EndpointProps {
  webhook: Webhook;
  onEdit: () => void;
  onRotate: () => void;
  onDelete: () => void;
}

function Endpoint({ webhook, onEdit, onRotate, onDelete }: EndpointProps): ReactElement {
  const { id, url, name, events, enabled, signing_secret_hint: hint } = webhook;
  const { testing, toggling } = useEndpointActions(webhook);
  const { isOwner, canChange } = useWebhookRights();
  return (
    <li className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-4 py-3">
      <div className="min-w-0 flex-1 basis-60">
        <div className="font-medium break-all">{name === '' ? url : name}</div>
        {name !== '' && <div className="text-xs break-all text-muted">{url}</div>}
        <div className="mt-0.5 text-xs text-muted">
          {webhook.key !== undefined && <>Key {webhook.key} · </>}
          {events.join(', ')} · <span className="font-mono">{hint}</span>
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <Badge tone={enabled ? 'ok' : 'warn'}>{stateOf(webhook)}</Badge>
        <Link to="/webhooks" search={({ key }) => ({ key, webhook: id })} className="button">
          Deliveries
        </Link>
        {isOwner && (
          <button type="button" className="button" disabled={testing.isPending} onClick={() => testing.mutate()}>
            {testing.isPending ? 'Sending…' : 'Send test'}
          </button>
        )}
        {canChange && (
          <Menu label={`Actions of ${name === '' ? url : name}`} trigger={<Ellipsis aria-hidden className="size-4" />}>
            {isOwner && (
              <>
                <MenuItem icon={Pencil} onSelect={onEdit}>
                  Edit
                </MenuItem>
                <MenuItem icon={enabled ? Pause : Play} onSelect={() => toggling.mutate()}>
                  {enabled ? 'Disable' : 'Enable'}
                </MenuItem>
              </>
            )}
            <MenuItem icon={KeyRound} onSelect={onRotate}>
              Rotate secret
            </MenuItem>
            <MenuSeparator />
            <MenuItem icon={Trash2} onSelect={onDelete}>
              Delete
            </MenuItem>
          </Menu>
        )}
      </div>
    </li>
  );
}

function useEndpointActions({ id, enabled }: Webhook) {
  const toast = useToast();
  const client = useQueryClient();
  const testing = useMutation({
    mutationFn: () => testWebhook(id),
    onSuccess: ({ status_code: status, error }) => {
      const isDelivered = status !== undefined && status < 300;
      const result = status === undefined ? `failed: ${error ?? 'no response'}` : `answered with ${status}`;
      toast({ kind: isDelivered ? 'success' : 'error', title: `The test ${result}` });
    },
    onError: (error) => toast({ kind: 'error', title: 'Could not send the test', error }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  const toggling = useMutation({
    mutationFn: () => updateWebhook(id, { enabled: !enabled }),
    onSuccess: () => toast({ kind: 'success', title: enabled ? 'Webhook disabled' : 'Webhook enabled' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not change the webhook', error }),
    onSettled: () => client.invalidateQueries({ queryKey: ['webhooks'] }),
  });
  return { testing, toggling };
}

function stateOf({ enabled, disabled_reason: reason }: Webhook): string {
  if (enabled) return 'Enabled';
  return reason === 'gone' ? 'Disabled: the server returned 410' : 'Disabled';
}

function DeleteDialog({ webhook, onClose }: { webhook: Webhook | undefined; onClose: () => void }): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const { all } = useWebhookRights();
  const deleting = useMutation({
    mutationFn: (id: string) => deleteWebhook(id, { all }),
    onSuccess: () => toast({ kind: 'success', title: 'Webhook deleted' }),
    onError: (error) => toast({ kind: 'error', title: 'Could not delete the webhook', error }),
    onSettled: () => {
      onClose();
      return client.invalidateQueries({ queryKey: ['webhooks'] });
    },
  });
  return (
    <ConfirmDialog
      title="Delete this webhook?"
      action="Delete webhook"
      isOpen={webhook !== undefined}
      isPending={deleting.isPending}
      onConfirm={() => webhook && deleting.mutate(webhook.id)}
      onClose={onClose}
    >
      <p className="break-words">
        <strong className="break-all">{webhook?.url}</strong> receives no more events, also not those that are pending.
      </p>
    </ConfirmDialog>
  );
}
