import type { MediaRequest, MediaTask, TaskStatus } from '@sluice/canonical';
import type { TimelineEntry } from '../store/timeline.ts';

export interface OperatorAct {
  by: string;
  note?: string;
}

export interface TaskSearch {
  status?: TaskStatus | undefined; // absent: all open tasks
  owner?: string | undefined;
  upstream?: string | undefined;
  model?: string | undefined;
  /** Minimum age of the tasks, milliseconds. */
  olderThanMs?: number;
  /** {@link TaskSearchPage.next} of the previous page. */
  after?: string | undefined;
  limit: number;
}

export interface TaskSearchPage {
  tasks: MediaTask[];
  /** Cursor of the next page; absent on the last one. A page may be short or empty and still have a next one. */
  next?: string;
}

export interface TaskDetails {
  task: MediaTask;
  timeline: TimelineEntry[];
  /** Includes the prompt, and images as URLs or keys of the content store. */
  request: MediaRequest;
}

export interface OperatorResult {
  task: MediaTask;
  changed: boolean; // false if the action was carried out before
}

export interface AdoptedJob {
  upstreamJobId: string;
  /** `UpstreamJob.path`, for upstreams that need one to poll a job. */
  upstreamPath?: string;
  /** The job to replace, which was assigned by mistake. */
  insteadOf?: string;
}

/**
 * Actions of operators on tasks of any owner. Each action is one checked move, is recorded in the timeline, and is
 * idempotent. Final states do not change.
 *
 * Every method throws `GatewayError`: `not_found`, `task_final` or `task_conflict` if the task's state does not allow
 * the action, and `store_unavailable` while Redis is away.
 */
export interface TaskOperator {
  /** Lists lost submissions first, then the oldest tasks; final states newest first. */
  search(search: TaskSearch): Promise<TaskSearchPage>;
  show(id: string): Promise<TaskDetails>;
  /**
   * Assigns a vendor's job to a lost submission, and polling starts. A task that has failed as `submission_unknown`
   * stays failed and only claims the job. A wrong assignment can be replaced while the job is polled.
   */
  adopt(id: string, job: AdoptedJob, act: OperatorAct): Promise<OperatorResult>;
  /** Fails an open task; the client sees the reason. The vendor's job continues. */
  fail(id: string, reason: string, act: OperatorAct): Promise<OperatorResult>;
  /**
   * Submits again. If the vendor accepted the lost submission too, it runs and charges both.
   * @param attempt the lost attempt; a repeat does nothing, even if the next attempt is lost too
   */
  resubmit(id: string, attempt: number, act: OperatorAct): Promise<OperatorResult>;
  cancel(id: string, act: OperatorAct): Promise<OperatorResult>;
  /** Rebuilds the index of tasks by state. Returns their number. */
  reindex(): Promise<number>;
}
