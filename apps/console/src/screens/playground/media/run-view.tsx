import type { ReactElement, ReactNode } from 'react';
import { ErrorNotice } from '../../../components/notices.tsx';
import { RawView } from '../exchange/raw-view.tsx';
import { CopyAs } from '../snippets/copy-as.tsx';
import type { ModelRuns } from './use-model-runs.ts';
import type { ModelRun, Run } from './use-run.ts';

export interface RunViewProps {
  model: string;
  run: Pick<Run<unknown>, 'isRunning' | 'error' | 'exchange' | 'followed'>;
  /** Shown before the first run. */
  hint: string;
  /** The result. */
  children: ReactNode;
}

/** The result of one model, and its requests in detail. */
export function RunView({ model, run, hint, children }: RunViewProps): ReactElement {
  const { isRunning, error, exchange, followed } = run;
  return (
    <section aria-label={`Result of ${model}`} className="panel min-w-0">
      <h2 className="truncate border-b border-line px-4 py-2.5 font-semibold">{model}</h2>
      <div className="flex flex-col gap-4 p-4" aria-busy={isRunning}>
        {exchange ? children : <p className="py-8 text-center text-muted">{hint}</p>}
        {error && <ErrorNotice error={error} />}
      </div>
      {exchange && <RawView exchange={exchange} />}
      {followed && <RawView exchange={followed} title="Task" />}
      {exchange && <CopyAs request={exchange.request} />}
    </section>
  );
}

/** The results of one or two models, side by side. */
export function ModelColumns<Result>({
  runs,
  children,
}: {
  runs: ModelRuns<Result>['runs'];
  children: (model: string, run: ModelRun<Result>) => ReactNode;
}): ReactElement {
  return (
    <div className={`grid items-start gap-4 ${runs.length > 1 ? 'lg:grid-cols-2' : ''}`}>
      {runs.map(({ model, run }, at) => (
        <div key={at} className="min-w-0">
          {children(model, run)}
        </div>
      ))}
    </div>
  );
}
