import type { Task, TaskDetails, TaskDossier, TaskPage, TaskResult } from '@sluice/api/responses';
import { queryOptions } from '@tanstack/react-query';
import { apiUrl, callApi } from './client.ts';

export type { Task, TaskDetails, TaskDossier };
export type TimelineEntry = TaskDetails['timeline'][number];

/** Parameters of `GET /v1/tasks`, but with a label as `name=value`. */
export type TaskQuery = Readonly<Record<string, string | number | boolean | undefined>>;

/** A page of tasks, newest first. The holder of a key sees its own, and the admin key sees all. */
export function tasksQuery(query: TaskQuery) {
  return queryOptions({
    queryKey: ['tasks', query],
    queryFn: ({ signal }) => callApi<TaskPage>('/v1/tasks', { query: paramsOf(query), signal }),
  });
}

function paramsOf({ label, ...query }: TaskQuery): TaskQuery {
  if (label === undefined) return query;
  const [, name, value] = /^([^=]+)=(.+)$/.exec(String(label)) ?? [];
  // The API refuses a label without a value.
  return name === undefined ? { ...query, labels: label } : { ...query, [`labels[${name}]`]: value };
}

export function taskQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id],
    queryFn: ({ signal }) => callApi<TaskDetails>(pathOf(id), { query: { prompt: true }, signal }),
  });
}

/** The fields that only operators see, like the vendor's job. */
export function taskDossierQuery(id: string) {
  return queryOptions({
    queryKey: ['task', id, 'dossier'],
    queryFn: ({ signal }) => callApi<TaskDossier>(`/admin/v1/tasks/${encodeURIComponent(id)}`, { signal }),
  });
}

/** @throws ApiError */
export function cancelTask(id: string): Promise<Task> {
  return callApi<Task>(`${pathOf(id)}/cancel`, { method: 'POST' });
}

export type OperatorAction = 'cancel' | 'fail' | 'resubmit' | 'adopt';

/** Acts on a task of any key. @throws ApiError */
export function actOnTask(id: string, action: OperatorAction, body: Record<string, unknown>): Promise<TaskResult> {
  return callApi<TaskResult>(`/admin/v1/tasks/${encodeURIComponent(id)}/${action}`, { method: 'POST', body });
}

/** The address of a task's file. The session's cookie is its credential. */
export function fileUrl(id: string, index: number): string {
  return apiUrl(`${pathOf(id)}/content/${index}`).href;
}

function pathOf(id: string): string {
  return `/v1/tasks/${encodeURIComponent(id)}`;
}
