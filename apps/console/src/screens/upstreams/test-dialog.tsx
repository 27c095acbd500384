import { useMutation, useQuery } from '@tanstack/react-query';
import { TriangleAlert } from 'lucide-react';
import { type FormEvent, type ReactElement, useId, useState } from 'react';
import { type RoutedModel, routedModelsQuery } from '../../api/models.ts';
import { testUpstream, type Upstream, type UpstreamTest } from '../../api/upstreams.ts';
import { Dialog } from '../../components/dialog.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { SelectField } from '../../components/select-field.tsx';
import { TestOutcome } from './test-outcome.tsx';
import { MessageText } from '../../components/message-text.tsx';

type Operation = UpstreamTest['operation'];

/** Operations of which one call costs almost nothing. The API refuses others. */
const TESTED: readonly string[] = ['text', 'embedding', 'moderation', 'rerank'] satisfies Operation[];

export interface TestDialogProps {
  upstream: Upstream;
  isOpen: boolean;
  onClose: () => void;
}

/** Warns that a test is a real call, makes it, and shows its outcome. */
export function TestDialog({ upstream, isOpen, onClose }: TestDialogProps): ReactElement {
  return (
    <Dialog title={`Test ${upstream.name}`} isOpen={isOpen} onClose={onClose} size="large">
      <TestCall upstream={upstream} onClose={onClose} />
    </Dialog>
  );
}

function TestCall({ upstream, onClose }: Omit<TestDialogProps, 'isOpen'>): ReactElement {
  const { data, error, refetch } = useQuery(routedModelsQuery);
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton className="h-40" />;
  const models = testableModels(data.data, upstream);
  return models.length === 0 ? (
    <p className="text-muted">
      The models of this upstream create videos, images, or audio files. A test of them costs too much. Send a request
      from the playground instead.
    </p>
  ) : (
    <TestForm upstream={upstream} models={models} onClose={onClose} />
  );
}

function TestForm({
  upstream,
  models,
  onClose,
}: Omit<TestDialogProps, 'isOpen'> & { models: readonly RoutedModel[] }): ReactElement {
  const [model, setModel] = useState(() => models.find(({ id }) => !id.includes('*'))?.id ?? '');
  const [chosen, setOperation] = useState('');
  const operations = operationsOf(
    models.find(({ id }) => id === model),
    upstream,
  );
  const operation = operations.find((one) => one === chosen) ?? operations[0];
  const call = useMutation({
    mutationFn: () => testUpstream({ upstream: upstream.name, model: model.trim(), ...(operation && { operation }) }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    call.mutate();
  };
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex gap-3">
        <TriangleAlert aria-hidden className="mt-0.5 size-5 shrink-0 text-warn" />
        <p className="min-w-0">
          This sends one real request to <span className="wrap-anywhere">{upstream.base_url}</span>. It is small, but
          the vendor may charge money for it. The request is not in the usage, and does not change the circuit breaker.
        </p>
      </div>
      <div className="grid gap-3 sm:flex">
        <ModelField models={models} value={model} onChange={setModel} />
        {operations.length > 1 && (
          <SelectField
            label="Operation"
            value={operation ?? ''}
            options={operations.map((one) => ({ value: one, title: one }))}
            onChange={setOperation}
          />
        )}
      </div>
      <div aria-live="polite" className="empty:hidden">
        {call.isPending && <p className="text-muted">The upstream has up to 60 seconds to respond.</p>}
        {call.error && (
          <p className="text-bad">
            <MessageText text={call.error.message} />
          </p>
        )}
        {!call.isPending && call.data && <TestOutcome outcome={call.data} />}
      </div>
      <div className="flex justify-end gap-2">
        <button type="button" className="button" onClick={onClose}>
          {call.data ? 'Close' : 'Cancel'}
        </button>
        <button type="submit" className="button button-primary" disabled={call.isPending || model.trim() === ''}>
          {call.isPending ? 'Testing…' : call.data ? 'Send another request' : 'Send one request'}
        </button>
      </div>
    </form>
  );
}

/** A model of the list, or the name of a model that a pattern matches. */
function ModelField({
  models,
  value,
  onChange,
}: {
  models: readonly RoutedModel[];
  value: string;
  onChange: (model: string) => void;
}): ReactElement {
  const id = useId();
  const ids = models.map((model) => model.id);
  const patterns = ids.filter((one) => one.includes('*'));
  if (patterns.length === 0) {
    const options = ids.map((one) => ({ value: one, title: one }));
    return <SelectField label="Model" value={value} options={options} onChange={onChange} />;
  }
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <label htmlFor={id} className="text-xs text-muted">
        Model
      </label>
      <input
        id={id}
        className="field w-full sm:w-72"
        list={`${id}-list`}
        value={value}
        placeholder={patterns.join(', ')}
        aria-describedby={`${id}-hint`}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id={`${id}-list`}>
        {ids.flatMap((one) => (one.includes('*') ? [] : [<option key={one} value={one} />]))}
      </datalist>
      <p id={`${id}-hint`} className="text-xs text-muted">
        Select a model, or enter one of {patterns.join(', ')}.
      </p>
    </div>
  );
}

function testableModels(models: readonly RoutedModel[], upstream: Upstream): RoutedModel[] {
  return models.filter(
    (model) =>
      model.routes.some((route) => route.upstream === upstream.name) && operationsOf(model, upstream).length > 0,
  );
}

function operationsOf(model: RoutedModel | undefined, { operations }: Upstream): Operation[] {
  const shared = model?.operations.filter((one) => TESTED.includes(one) && operations.includes(one)) ?? [];
  // The cast is safe because the list has only these operations.
  return shared as Operation[];
}
