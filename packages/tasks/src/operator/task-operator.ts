import type { MediaRequest, MediaTask, TaskStatus } from '@sluice/canonical';
import type { TimelineEntry } from '../store/timeline.ts';

export interface OperatorAct {
  by: string;
  note?: string;
}

export interface TaskSearch {
  status?: TaskStatus | undefined; // If absent, all open tasks are searched.
  owner?: string | undefined;
  upstream?: string | undefined;
  model?: string | undefined;
  /** Minimum age of the tasks, in milliseconds. */
  olderThanMs?: number;
  /** The `next` cursor of the previous page ({@link TaskSearchPage.next}). */
  after?: string | undefined;
  limit: number;
}

export interface TaskSearchPage {
  tasks: MediaTask[];
  /** Cursor of the next page; absent on the last page. Even a short or empty page may have a next page. */
  next?: string;
}

export interface TaskDetails {
  task: MediaTask;
  timeline: TimelineEntry[];
  /** Includes the prompt. Images are URLs or keys in the content store. */
  request: MediaRequest;
}

export interface OperatorResult {
  task: MediaTask;
  changed: boolean; // False if the action was already executed.
}

export interface AdoptedJob {
  upstreamJobId: string;
  /** See `UpstreamJob.path`. Some upstreams need it to poll a job. */
  upstreamPath?: string;
  /** The current job, which an operator assigned by mistake and which this job replaces. */
  insteadOf?: string;
}

/**
 * Operators' actions on tasks, no matter who owns them. Each action is one checked move, is recorded in the timeline,
 * and is idempotent. Final states do not change.
 *
 * Every method throws `GatewayError`: `not_found`; `task_final` or `task_conflict` if the task's state does not allow
 * the action; `store_unavailable` while Redis is unavailable.
 */
export interface TaskOperator {
  /** Lists lost submissions, then other open tasks, each oldest first. Finished tasks are listed newest first. */
  search(search: TaskSearch): Promise<TaskSearchPage>;
  show(id: string): Promise<TaskDetails>;
  /**
   * Assigns a vendor's job to a lost submission and starts polling. A task that has failed as `submission_unknown`
   * stays failed and only claims the job. A wrong assignment can be replaced while the job is polled.
   */
  adopt(id: string, job: AdoptedJob, act: OperatorAct): Promise<OperatorResult>;
  /** Fails an open task; the client sees the reason. The vendor's job continues. */
  fail(id: string, reason: string, act: OperatorAct): Promise<OperatorResult>;
  /**
   * Submits the task again. If the vendor also accepted the lost submission, it runs and charges both jobs.
   * @param attempt the lost attempt; repeating the action does nothing, even if the next attempt is also lost
   */
  resubmit(id: string, attempt: number, act: OperatorAct): Promise<OperatorResult>;
  cancel(id: string, act: OperatorAct): Promise<OperatorResult>;
  /** Rebuilds the index of tasks by state. Returns the number of tasks. */
  reindex(): Promise<number>;
}
