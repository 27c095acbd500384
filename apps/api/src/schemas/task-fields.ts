import { TASK_STATUSES } from '@sluice/canonical';
import { SHOWN_OPTIONS } from '@sluice/protocols';
import { TIMELINE_EVENTS } from '@sluice/tasks';
import { z } from 'zod';
import { timeSchema } from './times.ts';

const status = z.enum(TASK_STATUSES);
const credential = z.string().optional().describe("The credential of the upstream's pool.");

/** The fields of a task that its owner and operators see. */
export const TASK_FIELDS = {
  object: z.literal('task'),
  id: z.string(),
  kind: z.enum(['video', 'image']),
  status: status.describe('The internal state.'),
  progress: z.int().describe('Percentage.'),
  model: z.string().describe("The model id of the client's request."),
  upstream: z.string(),
  credential,
  upstream_model: z.string(),
  attempt: z.int().describe('Number of submissions started.'),
  external_id: z.string().optional(),
  ...SHOWN_OPTIONS,
  remixed_from: z.string().optional().describe('Id of the original video.'),
  error: z.object({ code: z.string(), message: z.string() }).optional(),
  cost_usd: z.number().optional().describe('Cost of the ended task in US dollars, if its price is known.'),
  unpriced: z.literal(true).optional().describe('The ended task has a cost, but its price is unknown.'),
  cancel_requested: z.boolean(),
  created_at: timeSchema('Creation time'),
  submitted_at: timeSchema('Start of the current attempt').optional(),
  ended_at: timeSchema('End of the task').optional(),
};

/** The fields of an entry in the timeline of a task. */
export const TIMELINE_ENTRY_FIELDS = {
  at_ms: z.int().describe('Unix milliseconds.'),
  until_ms: z.int().optional().describe('Last occurrence, if `count` is present.'),
  count: z.int().optional().describe('Number of consecutive steps with the same outcome.'),
  what: z.enum(TIMELINE_EVENTS),
  outcome: z.string().optional().describe('Result of the step.'),
  status: status.describe('The state after the step.'),
  progress: z.int(),
  attempt: z.int(),
  upstream: z.string(),
  credential,
  http_status: z.int().optional().describe("Status of the vendor's last response."),
  code: z.string().optional(),
  reason: z.string().optional(),
  by: z.string().optional().describe('Name of the operator.'),
  note: z.string().optional().describe('Note of the operator.'),
};
