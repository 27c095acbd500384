import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { ArrowLeft, CircleAlert } from 'lucide-react';
import type { ReactElement } from 'react';
import { type TaskDetails, type TaskDossier, taskDossierQuery, taskQuery } from '../../api/tasks.ts';
import { useRefresh } from '../../app/use-live.ts';
import { isOperator, useSession } from '../../app/use-session.ts';
import { type Fact, Facts } from '../../components/facts.tsx';
import { ErrorNotice, Skeleton } from '../../components/notices.tsx';
import { PageHead, PlainHead, Section } from '../../components/page-head.tsx';
import { formatTime } from '../../lib/format.ts';
import { keyLink } from '../../lib/key-link.ts';
import { useNow } from '../../lib/use-now.ts';
import { Deliveries } from './deliveries.tsx';
import { Lineage } from './lineage.tsx';
import { TaskActions } from './task-actions.tsx';
import { costOf, durationOf } from './task-columns.tsx';
import type { TaskSearch } from './task-filters.ts';
import { TaskFiles } from './task-files.tsx';
import { explainError, isEnded, TaskStatus } from './task-status.tsx';
import { TaskSteps } from './task-steps.tsx';
import { TaskTimeline } from './task-timeline.tsx';
import { MessageText } from '../../components/message-text.tsx';

const OPEN_REFRESH_MS = 2_000;
/** Webhooks can follow the end of a task. */
const ENDED_REFRESH_MS = 15_000;
const DOSSIER_REFRESH_MS = 5_000;
const route = getRouteApi('/tasks/$id');

/** One video or image: its files, history, cost, and the actions that its state allows. */
export function TaskPage(): ReactElement {
  const { id } = route.useParams();
  const refreshMs = useRefresh(OPEN_REFRESH_MS);
  const { data, error, refetch } = useQuery({
    ...taskQuery(id),
    refetchInterval: ({ state }) => (state.data && isEnded(state.data.status) ? ENDED_REFRESH_MS : refreshMs),
  });
  return (
    <>
      <Link to="/tasks" className="mb-3 inline-flex items-center gap-1.5 text-muted hover:text-text">
        <ArrowLeft aria-hidden className="size-4" /> Tasks
      </Link>
      {!data && <PlainHead title={id} />}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!data && !error && <Skeleton className="h-64" />}
      {data && <Task task={data} />}
    </>
  );
}

function Task({ task }: { task: TaskDetails }): ReactElement {
  const operator = isOperator(useSession());
  return (
    <>
      <PageHead title={<span className="break-all">{task.model}</span>}>
        <TaskStatus {...task} />
        <TaskActions task={task} />
      </PageHead>
      <Advice task={task} />
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex min-w-0 flex-col gap-4">
          <TaskFiles task={task} />
          <TaskTimeline task={task} />
          <TaskSteps timeline={task.timeline} />
          <Deliveries deliveries={task.deliveries} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <Summary task={task} />
          {operator && <OperatorFacts id={task.id} />}
          <Request task={task} />
          <Lineage task={task} />
        </div>
      </div>
    </>
  );
}

/** Why the task failed, or waits for an operator, in plain words. */
function Advice({ task }: { task: TaskDetails }): ReactElement | null {
  const { error } = task;
  const text = adviceOf(task);
  if (text === undefined) return null;
  return (
    <div className="panel mb-4 flex items-start gap-3 p-4">
      <CircleAlert aria-hidden className={`mt-0.5 size-5 shrink-0 ${error ? 'text-bad' : 'text-warn'}`} />
      <div className="min-w-0">
        <p className="font-medium">{text}</p>
        {error && (
          <p className="mt-1 break-words text-muted">
            <MessageText text={error.message} /> <span className="font-mono text-xs">({error.code})</span>
          </p>
        )}
      </div>
    </div>
  );
}

function adviceOf({ status, cancel_requested: isCanceling, error, ...task }: TaskDetails): string | undefined {
  const code = error?.code;
  if (code !== undefined) return explainError(code);
  if (status === 'submit_unknown') {
    return 'The response to the submission was lost. Sluice looks for the job, and an operator can decide at once.';
  }
  if (status === 'queued' && task.queue_paused) {
    return 'The key has paused all its waiting tasks. Resume them with POST /v1/tasks/queue and {"paused": false}.';
  }
  if (status === 'queued' && task.paused) {
    return 'The task is paused. Resume it with POST /v1/tasks/{id} and {"paused": false}.';
  }
  return isCanceling && !isEnded(status) ? 'The task is canceled as soon as the vendor allows it.' : undefined;
}

function Summary({ task }: { task: TaskDetails }): ReactElement {
  const now = useNow(OPEN_REFRESH_MS);
  const session = useSession();
  const { features } = session;
  const operates = isOperator(session);
  const facts: Fact[] = [
    { name: 'Task', value: task.id, canCopy: true },
    { name: 'Kind', value: task.kind },
    { name: 'Key', value: task.key, link: operates ? keyLink(task.key) : { to: '/keys' } },
    {
      name: 'Upstream',
      value: `${task.upstream} (${task.upstream_model})`,
      link: operates ? { to: '/upstreams/$name', params: { name: task.upstream } } : undefined,
    },
    { name: 'Credential', value: task.credential },
    { name: 'Attempts', value: String(task.attempt) },
    { name: 'Created', value: time(task.created_at) },
    { name: 'Ended', value: time(task.ended_at) },
    { name: isEnded(task.status) ? 'Duration' : 'Age', value: durationOf(task, now) },
    { name: 'Cost', value: costOf(task) },
    { name: 'Kept until', value: time(task.expires_at) },
    { name: 'Client id', value: task.external_id },
    ...optionFacts(task, operates),
  ];
  return (
    <Section title="Summary">
      <Facts facts={facts} />
      {features.ledger && isEnded(task.status) && (
        <p className="border-t border-line px-4 py-2.5 text-xs">
          <Link to="/requests/$id" params={{ id: task.id }} className="text-accent hover:underline">
            Entry in the usage ledger
          </Link>
        </p>
      )}
    </Section>
  );
}

/** Options of the client. The links open the tasks with the same value. */
function optionFacts({ key, user, labels = {}, priority }: TaskDetails, operates: boolean): Fact[] {
  const linkTo = (filter: TaskSearch): Fact['link'] => ({
    to: '/tasks',
    search: { ...(operates && { key }), ...filter },
  });
  return [
    { name: 'End user', value: user, link: user === undefined ? undefined : linkTo({ user }) },
    ...Object.entries(labels).map(([name, value]) => ({
      name: `Label ${name}`,
      value,
      link: linkTo({ label: `${name}=${value}` }),
    })),
    { name: 'Priority', value: priority === undefined ? undefined : String(priority) },
  ];
}

function OperatorFacts({ id }: { id: string }): ReactElement {
  const { data, error } = useQuery({ ...taskDossierQuery(id), refetchInterval: useRefresh(DOSSIER_REFRESH_MS) });
  if (error && !data) return <ErrorNotice error={error} />;
  return (
    <Section title="At the vendor" aside="Only for operators">
      {data ? <Facts facts={vendorFacts(data)} /> : <Skeleton className="m-4 h-16" />}
    </Section>
  );
}

function vendorFacts(dossier: TaskDossier): Fact[] {
  return [
    { name: 'Job', value: dossier.upstream_job_id ?? 'unknown', canCopy: dossier.upstream_job_id !== undefined },
    { name: 'Path', value: dossier.upstream_path },
    { name: 'Address', value: dossier.upstream_base_url },
    { name: 'Route', value: String(dossier.route) },
    { name: 'State', value: dossier.status },
    {
      name: 'Polls',
      value: `${dossier.polls}${dossier.unclear_polls > 0 ? `, ${dossier.unclear_polls} unclear` : ''}`,
    },
    { name: 'Waits for', value: dossier.waiting_reason === undefined ? undefined : 'the content store' },
    { name: 'Submitted', value: time(dossier.submitted_at) },
    { name: 'Last poll', value: time(dossier.polled_at) },
    { name: 'Next step', value: isEnded(dossier.status) ? undefined : time(dossier.due_at) },
    { name: 'Deadline', value: isEnded(dossier.status) ? undefined : time(dossier.deadline_at) },
  ];
}

/** Parameters that are worth a line. The prompt has its own place. */
function Request({ task: { prompt, request } }: { task: TaskDetails }): ReactElement {
  const { kind: _kind, prompt: _prompt, images, ...params } = request;
  const inputs = Array.isArray(images) && images.length > 0 ? { images: images.length } : {};
  const facts = Object.entries({ ...params, ...inputs }).flatMap(([name, value]) =>
    value === undefined || value === null ? [] : [{ name: name.replaceAll('_', ' '), value: textOf(value) }],
  );
  return (
    <Section title="Request">
      {prompt !== undefined && <p className="p-4 break-words whitespace-pre-wrap">{prompt}</p>}
      {facts.length > 0 && <Facts facts={facts} />}
    </Section>
  );
}

/** @param at Unix seconds */
function time(at: number | undefined): string | undefined {
  return at === undefined ? undefined : formatTime(at * 1_000);
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
