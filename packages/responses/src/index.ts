export { EventLog, type LogPart } from './jobs/event-log.ts';
export { type JobStats, readJobStats } from './jobs/job-stats.ts';
export type { JobClaim, NewPoll, NewRun, Repetition, ResponseEnd, ResponseJob } from './jobs/response-job.ts';
export { type ClientEnd, ResponseJobs } from './jobs/response-jobs.ts';
export { ResponseRecords } from './records/response-records.ts';
export { lastEventOf, showResponse } from './records/show-response.ts';
export { StoredItems } from './records/stored-items.ts';
export { isOpen, newResponseId, type StoredResponse } from './records/stored-response.ts';
export { createResponseKeys, type ResponseKeys, textKey } from './records/response-keys.ts';
