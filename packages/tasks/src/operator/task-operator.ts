import type { MediaRequest, MediaTask, TaskStatus } from '@sluice/canonical';
import type { TimelineEntry } from '../store/timeline.ts';

/** Who acts, and in whose words: both stand in the task's timeline. */
export interface OperatorAct {
  /** The operator's name. */
  by: string;
  note?: string;
}

/** Which tasks an operator wants to see. */
export interface TaskSearch {
  /** Absent: all open tasks. */
  status?: TaskStatus | undefined;
  owner?: string | undefined;
  upstream?: string | undefined;
  /** The model id that the client asked for. */
  model?: string | undefined;
  /** Only tasks that were made longer ago than this, milliseconds. */
  olderThanMs?: number;
  /** {@link FoundTasks.next} of the page before. */
  after?: string | undefined;
  /** Tasks on the page, 1–100. */
  limit: number;
}

/** A page of tasks. */
export interface FoundTasks {
  tasks: MediaTask[];
  /** Where the next page begins; absent: there is none. A page may be short, or empty, and yet have one. */
  next?: string;
}

/** All that is kept of a task. */
export interface TaskDossier {
  /** Without what the request alone tells, such as the prompt. */
  task: MediaTask;
  timeline: TimelineEntry[];
  /** As the client sent it: it holds the prompt, and pictures as URLs or keys of the content store. */
  request: MediaRequest;
}

/** What became of an operator's wish. */
export interface OperatorResult {
  task: MediaTask;
  /** False when it had been done before. */
  changed: boolean;
}

/** The vendor's job that a task is to take over. */
export interface AdoptedJob {
  upstreamJobId: string;
  /** `UpstreamJob.path`, for the kinds of upstream that need one to find a job. */
  upstreamPath?: string;
  /** The job that an operator gave the task before by mistake: it is let go. */
  insteadOf?: string;
}

/**
 * What operators do with tasks of any owner, when a task cannot help itself. Each act is one checked move like those of
 * the workers, leaves an entry in the timeline, and may be sent twice. Final states stay.
 *
 * Every method throws `GatewayError`: `not_found` for a task that is not there, `task_final` and `task_conflict` for one
 * that the act does not fit, `store_unavailable` while Redis is away.
 */
export interface TaskOperator {
  /** Lost submissions first, then the oldest; of a final state the newest first. @throws GatewayError `invalid_request` for `after` */
  search(search: TaskSearch): Promise<FoundTasks>;
  show(id: string): Promise<TaskDossier>;
  /**
   * Gives a lost submission the vendor's job that it has led to, which is then polled. A task that has failed as
   * `submission_unknown` stays so; its job is noted, so that no other task takes it. Whoever names the wrong job that an
   * operator has given the task can put another in its place for as long as it is polled.
   */
  adopt(id: string, job: AdoptedJob, act: OperatorAct): Promise<OperatorResult>;
  /** Ends an open task. The client is told the reason. What runs at the vendor is left alone. */
  fail(id: string, reason: string, act: OperatorAct): Promise<OperatorResult>;
  /**
   * Submits a lost submission once more. The vendor may have taken the first: then it makes, and charges, both.
   * @param attempt the attempt that was lost: a repeat of the same wish does nothing, even when the next one is lost, too
   */
  resubmit(id: string, attempt: number, act: OperatorAct): Promise<OperatorResult>;
  /** Cancels as the client could. */
  cancel(id: string, act: OperatorAct): Promise<OperatorResult>;
  /** Builds the index of tasks by state anew, from the lists of all tasks; answers how many there are. */
  reindex(): Promise<number>;
}
