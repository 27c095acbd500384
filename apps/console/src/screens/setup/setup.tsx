import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { modelsQuery } from '../../api/models.ts';
import { useSession } from '../../app/use-session.ts';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, Section } from '../../components/page-head.tsx';
import { ClientSnippets } from './client-snippets.tsx';
import { FirstCall } from './first-call.tsx';
import { ServedModels } from './served-models.tsx';
import { VendorKey } from './vendor-key.tsx';

const route = getRouteApi('/setup');

/** The way to the first call: a vendor's key, the models, a call, and the settings of clients. */
export function Setup(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { role } = useSession();
  const { data: models, error, refetch } = useQuery(modelsQuery);
  const set = (params: Partial<typeof search>): void =>
    void navigate({ search: (now) => ({ ...now, ...params }), replace: true });
  const texts = models?.filter(({ capabilities }) => capabilities.includes('text')) ?? [];
  const model = search.model ?? texts[0]?.id ?? '';
  const canCall = role === 'admin' || role === 'holder';
  return (
    <>
      <PageHead title="Setup" />
      <div className="flex flex-col gap-4">
        {role === 'admin' && <VendorKey selected={search.vendor} onSelect={(vendor) => set({ vendor })} />}
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        <Section title="Models" aside={models && `${models.length} listed`}>
          {models ? <ServedModels models={models} canCall={canCall} /> : <Skeleton className="m-4 h-16" />}
        </Section>
        {canCall && models && <FirstCall models={texts} model={model} onModel={(id) => set({ model: id })} />}
        <ClientSnippets
          model={model === '' ? 'your-model' : model}
          tool={search.tool}
          onTool={(tool) => set({ tool })}
        />
      </div>
    </>
  );
}
