import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { type ListedModel, modelsQuery } from '../../api/models.ts';
import { useSession } from '../../app/use-session.ts';
import { EmptyState, ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead } from '../../components/page-head.tsx';
import { Tabs } from '../../components/form/tabs.tsx';
import { Chat } from './chat/chat.tsx';
import { ImageMode } from './media/image-mode.tsx';
import { SpeechMode } from './media/speech-mode.tsx';
import { TranscriptionMode } from './media/transcription-mode.tsx';
import { VideoMode } from './media/video-mode.tsx';
import { ModelFields } from './model-fields.tsx';
import { type Mode, modeOf, MODES } from './playground-search.ts';

const route = getRouteApi('/playground');

/** The roles that cannot call models have no link to this screen, but can open its address. */
export function Playground(): ReactElement {
  const { role } = useSession();
  if (role === 'admin' || role === 'holder') return <CallerPlayground />;
  return (
    <>
      <PageHead title="Playground" />
      <EmptyState title="Your role cannot call models">
        <p>A call causes costs. Sign in with an API key, or as an admin.</p>
      </EmptyState>
    </>
  );
}

/** Calls models with the session. The mode, the protocol, and the models are in the URL; prompts are not. */
function CallerPlayground(): ReactElement {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { role } = useSession();
  const { data, error, refetch } = useQuery(modelsQuery);
  const mode = modeOf(search.mode);
  const usable = data?.filter(({ capabilities }) => capabilities.includes(mode.capability));
  const model = search.model ?? usable?.[0]?.id ?? '';
  const models = [model, ...(search.model2 === undefined ? [] : [search.model2])].filter((id) => id !== '');
  const set = (params: Partial<typeof search>): void =>
    void navigate({ search: (now) => ({ ...now, ...params }), replace: true });
  return (
    <>
      <PageHead title="Playground">
        <Tabs
          label="Mode"
          tabs={MODES}
          selected={mode.name}
          onSelect={(name) => set({ mode: name, model: undefined, model2: undefined })}
        />
      </PageHead>
      <div className="flex flex-col gap-4">
        {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton className="h-16" />}
        {usable && (
          <ModelFields
            models={usable}
            model={model}
            model2={search.model2}
            protocol={mode.name === 'chat' ? (search.protocol ?? '') : undefined}
            onChange={set}
          />
        )}
        {role === 'admin' && (
          <p className="text-xs text-muted">
            You call models as an admin, without limits. The requests cost what the upstream charges, and are in reports
            under your name, which begins with <code className="font-mono">console:</code>.
          </p>
        )}
        {usable && models.length === 0 && <NoModels mode={mode} listed={data ?? []} />}
        {/* A new key starts the mode with its own inputs. */}
        {usable && models.length > 0 && (
          <ModeView key={mode.name} mode={mode} models={models} protocol={search.protocol} />
        )}
      </div>
    </>
  );
}

function ModeView(props: { mode: Mode; models: readonly string[]; protocol: string | undefined }): ReactElement {
  const { mode, models, protocol } = props;
  switch (mode.name) {
    case 'chat':
      return <Chat models={models} protocolId={protocol} />;
    case 'image':
      return <ImageMode models={models} />;
    case 'video':
      return <VideoMode models={models} />;
    case 'speech':
      return <SpeechMode models={models} />;
    case 'transcription':
      return <TranscriptionMode models={models} />;
  }
}

function NoModels({ mode, listed }: { mode: Mode; listed: readonly ListedModel[] }): ReactElement {
  return (
    <div className="panel">
      <EmptyState title={`No model is listed for ${mode.title.toLowerCase()}`}>
        <p>
          {listed.length === 0
            ? 'The list of models has only models that the configuration names. Enter the name of a model that matches a pattern, such as gpt-*.'
            : 'Enter the name of a model above, or add one to the configuration.'}
        </p>
      </EmptyState>
    </div>
  );
}
