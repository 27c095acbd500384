import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { type ReactElement, useState } from 'react';
import { type ShownSecret, type Webhook, webhooksQuery } from '../../api/webhooks.ts';
import { ErrorNotice } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { CallbackSecret } from './callback-secret.tsx';
import { DeliveryDialog } from './delivery-dialog.tsx';
import { DeliveryList } from './delivery-list.tsx';
import { EndpointList } from './endpoint-list.tsx';
import { SecretDialog } from './secret-dialog.tsx';
import { WebhookForm } from './webhook-form.tsx';

const route = getRouteApi('/webhooks');

/** The webhooks of the key, their deliveries, and the secrets that sign them. */
export function Webhooks(): ReactElement {
  const { delivery } = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(webhooksQuery);
  const [edited, setEdited] = useState<Webhook | 'new'>();
  const [secret, setSecret] = useState<ShownSecret>();
  return (
    <>
      <PageHead title="Webhooks">
        <button type="button" className="button button-primary" onClick={() => setEdited('new')}>
          <Plus aria-hidden className="size-4" /> Add webhook
        </button>
      </PageHead>
      <div className="flex flex-col gap-4">
        {error && !data && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        <EndpointList webhooks={data?.data} onEdit={setEdited} onSecret={setSecret} />
        <DeliveryList webhooks={data?.data ?? []} />
        <CallbackSecret onSecret={setSecret} />
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
