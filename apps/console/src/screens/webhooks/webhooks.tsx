import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { type ShownSecret, type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { FilterBar, type FilterField } from '../../components/filter-bar.tsx';
import { ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { CallbackSecret } from './callback-secret.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { useWebhookRights } from './use-webhook-rights.ts';
import { WebhookForm } from './webhook-form.tsx';

const KEY_FIELD: readonly FilterField[] = [{ name: 'key', label: 'API key' }];
const route = getRouteApi('/webhooks');

/** The webhooks of the key, their deliveries, and the secrets that sign them. Operators see those of all keys. */
export function Webhooks(): ReactElement {
  const search = route.useSearch();
  const { delivery, key } = search;
  const { all, isOwner } = useWebhookRights();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(webhooksQuery({ all, key }));
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [secret, setSecret] = useState<ShownSecret>();
  return (
    <>
      <PageHead title="Webhooks">
        {isOwner && (
          <button type="button" className="button button-primary" onClick={() => setEdited('new')}>
            <Plus aria-hidden className="size-4" /> Add webhook
          </button>
        )}
      </PageHead>
      <div className="flex flex-col gap-4">
        {all && (
          <FilterBar
            fields={KEY_FIELD}
            filters={search}
            onChange={(filters, { replace }) => void navigate({ search: { key: filters['key'] }, replace })}
          />
        )}
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!(error && !data) && (
          <EndpointList
            webhooks={data?.data}
            hasMore={data?.has_more === true}
            onEdit={setEdited}
            onSecret={setSecret}
          />
        )}
        <DeliveryList webhooks={data?.data ?? []} />
        {isOwner && <CallbackSecret onSecret={setSecret} />}
      </div>
      <WebhookForm edited={edited} onClose={() => setEdited(undefined)} onSecret={setSecret} />
      <SecretDialog secret={secret} onClose={() => setSecret(undefined)} />
      <DeliveryDialog
        id={delivery}
        webhooks={data?.data ?? []}
        onClose={() => void navigate({ search: (now) => ({ ...now, delivery: undefined }) })}
      />
    </>
  );
}
