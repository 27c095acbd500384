import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { RotateCw } from 'lucide-react';
import type { ReactElement } from 'react';
import { deliveryQuery, redeliver, type Webhook, type WebhookDelivery } from '../../api/webhooks.ts';
import { CodeBlock } from '../../components/code-block.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { useToast } from '../../components/toasts.tsx';
import { formatDuration, formatTime } from '../../lib/format.ts';
import { useWebhookRights } from './use-webhook-rights.ts';
import { DeliveryStatus, receiverOf } from './delivery-list.tsx';

export interface DeliveryDialogProps {
  /** Undefined if the dialog is closed. */
  id: string | undefined;
  webhooks: readonly Webhook[];
  onClose: () => void;
}

type AttemptResponse = NonNullable<WebhookDelivery['attempts'][number]['response']>;

const REFRESH_MS = 2_000;

/** A delivery with its request, the response to each attempt, and a button that sends it again. */
export function DeliveryDialog({ id, webhooks, onClose }: DeliveryDialogProps): ReactElement {
  const { all } = useWebhookRights();
  const { data, error } = useQuery({
    ...deliveryQuery(id ?? '', { all }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (state.data?.status === 'pending' ? REFRESH_MS : false),
  });
  return (
    <Dialog title="Delivery" isOpen={id !== undefined} onClose={onClose} size="large">
      {error && !data && <ErrorNotice error={error} />}
      {!data && !error && <Skeleton className="h-40" />}
      {data && <Delivery delivery={data} receiver={receiverOf(data, webhooks)} />}
    </Dialog>
  );
}

function Delivery({ delivery, receiver }: { delivery: WebhookDelivery; receiver: string }): ReactElement {
  const { canResend } = useWebhookRights();
  const { status, event_type: type, event_id: event, task_id: task, next_attempt_at: next, request } = delivery;
  return (
    <div className="flex min-w-0 flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex min-w-0 flex-wrap items-center gap-x-3">
          <DeliveryStatus status={status} />
          <span className="font-medium">{type}</span>
          {next !== undefined && <span className="text-muted">next attempt {formatTime(next * 1_000)}</span>}
        </div>
        {canResend && <ResendButton delivery={delivery} />}
      </div>
      {task !== undefined && (
        <p>
          <Link
            to="/tasks/$id"
            params={{ id: task }}
            className="font-mono text-xs break-all text-accent hover:underline"
          >
            {task}
          </Link>
        </p>
      )}
      <Attempts delivery={delivery} />
      <section aria-label="Request" className="flex min-w-0 flex-col gap-2">
        <h3 className="font-semibold">Request</h3>
        <CodeBlock
          what="request line and headers"
          code={`POST ${request?.url ?? receiver}\ncontent-type: application/json\nwebhook-id: ${event}\nwebhook-timestamp: …\nwebhook-signature: …`}
        />
        {request?.body === undefined ? (
          <p className="text-muted">The body of a test, or of a deleted task, is not stored.</p>
        ) : (
          <CodeBlock what="request body" code={indented(request.body)} />
        )}
      </section>
    </div>
  );
}

/** Why an attempt has no response. */
const FAILURES: Readonly<Record<string, string>> = {
  timeout: 'The server did not respond in time.',
  network: 'The server could not be reached, or the connection broke.',
  forbidden_address: 'The host does not resolve to a public address.',
  invalid_url: 'The URL is not allowed any more. Use https.',
  webhook_deleted: 'The webhook was deleted before this attempt.',
  webhook_disabled: 'The webhook was disabled before this attempt.',
  task_deleted: 'The task was deleted before this attempt.',
  key_revoked: 'The key was revoked before this attempt.',
  internal_error: 'The secret cannot be decrypted. Rotate it.',
};

function Attempts({ delivery: { attempts } }: { delivery: WebhookDelivery }): ReactElement {
  return (
    <section aria-label="Attempts">
      <h3 className="mb-2 font-semibold">Responses</h3>
      {attempts.length === 0 && <p className="text-muted">There was no attempt yet.</p>}
      <ol className="divide-y divide-line rounded-md border border-line empty:hidden">
        {attempts.map(({ at, duration_ms: ms, status_code: code, error, response }, index) => (
          <li key={`${at}-${index}`} className="flex flex-wrap justify-between gap-x-4 gap-y-2 px-3 py-2">
            <span className={code !== undefined && code < 300 ? 'text-ok' : 'text-bad'}>
              {code === undefined ? (FAILURES[error ?? ''] ?? error) : `HTTP ${code}`}
            </span>
            <span className="text-muted tabular-nums">
              {formatTime(at * 1_000)} · {formatDuration(ms)}
            </span>
            {response && (
              <div className="w-full min-w-0">
                <CodeBlock what={`response to attempt ${index + 1}`} code={textOf(response)} />
              </div>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The headers and the beginning of the body, as in HTTP. */
function textOf({ headers, body, truncated }: AttemptResponse): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  if (body !== undefined) lines.push('', indented(body) + (truncated === true ? '\n…' : ''));
  return lines.join('\n');
}

function ResendButton({ delivery: { id, status } }: { delivery: WebhookDelivery }): ReactElement {
  const toast = useToast();
  const client = useQueryClient();
  const { all } = useWebhookRights();
  const sending = useMutation({
    mutationFn: () => redeliver(id, { all }),
    onSuccess: (delivery) => {
      client.setQueryData(deliveryQuery(id, { all }).queryKey, (known) => ({ ...known, ...delivery }));
      toast({ kind: 'success', title: 'The delivery is sent again' });
    },
    onError: (error) => toast({ kind: 'error', title: 'Could not send the delivery', error }),
    onSettled: () => client.invalidateQueries({ queryKey: ['deliveries'] }),
  });
  return (
    <button type="button" className="button" disabled={sending.isPending} onClick={() => sending.mutate()}>
      <RotateCw aria-hidden className="size-4" /> {status === 'pending' ? 'Send now' : 'Resend'}
    </button>
  );
}

function indented(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
