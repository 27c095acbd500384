import { type SubmitOutcome, statusMessage } from '@sluice/canonical';
import type { UpstreamResponse } from '../http/fetch-upstream.ts';
import { at, isEmptyValue } from '../media/lenient.ts';
import { isSuccess } from '../media/outcomes/decision.ts';
import { errorTopic, openAiDecision } from '../media/outcomes/openai-error.ts';
import type { WireTools } from '../media/wire-tools.ts';
import { readJob, readWireError } from './wire.ts';

/**
 * Reads a submission. A success without an id is `unknown`, because the upstream may be processing the request. The
 * exception is an error without a job, in the format of resellers: `{code, message, data: null}`.
 */
export function readVideosSubmission(response: UpstreamResponse, tools: WireTools): SubmitOutcome {
  const { status, body } = response;
  if (isSuccess(status)) {
    const { id, seconds, size, error } = readJob(body) ?? {};
    if (id !== undefined && isUsableId(id)) return tools.accepted(response, id, { seconds, size });
    const topic = namesNoJob(body) ? errorTopic(error) : 'other';
    return topic === 'other' ? tools.accepted(response, undefined) : tools.refused(response, topic, error?.message);
  }
  const error = readWireError(body);
  const decision = openAiDecision(status, error);
  if (decision === 'unknown') return { kind: 'unknown', message: statusMessage(status) };
  return tools.refused(response, decision, error?.message);
}

function namesNoJob(body: unknown): boolean {
  return ['id', 'task_id', 'data', 'output'].every((name) => {
    const value = at(body, name);
    return value === undefined || isEmptyValue(value);
  });
}

/** Whether an id consists of printable characters and works as one path segment. */
function isUsableId(id: string): boolean {
  return id.length <= 512 && /^[\x21-\x7e]+$/.test(id) && id !== '.' && id !== '..';
}
