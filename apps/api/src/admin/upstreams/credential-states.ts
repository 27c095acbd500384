import { type Credential, type Credentials, type LimitName, NANOS_PER_USD } from '@sluice/limits';
import type { TaskStats } from '@sluice/tasks';
import { z } from 'zod';

const SlotsSchema = z.object({ used: z.number(), max: z.number().optional().describe('Absent: no limit.') });

export const TaskSlotsSchema = z.object({
  in_flight: SlotsSchema.describe('Tasks that run at the upstream.'),
  submitting: SlotsSchema,
  paused_ms: z.number().optional().describe('Milliseconds for which the busy account gets no submissions.'),
});

const LimitSchema = z.object({
  limit: z.number(),
  held: z.number().describe('The part of the limit that the responding API process holds.'),
});

export const CredentialStateSchema = z
  .object({
    name: z.string(),
    weight: z.number(),
    state: z
      .enum(['ready', 'resting', 'rejected'])
      .describe('`rejected`: the vendor does not accept it. Sluice tests it with one call at a time.'),
    reason: z
      .enum(['rate_limited', 'quota', 'rejected', 'budget'])
      .optional()
      .describe('Why it rests. `quota`: the quota or balance at the vendor is exhausted.'),
    rest_ms: z.number().optional().describe('Milliseconds until the rest ends. Absent if it never does.'),
    in_flight: z.number().describe('Text and direct calls in flight, in all API processes.'),
    limits: z.partialRecord(z.enum(['rpm', 'tpm', 'max_in_flight']), LimitSchema),
    budget: z.object({ usd: z.number(), spent_usd: z.number(), period: z.enum(['day', 'month', 'total']) }).optional(),
    tasks: TaskSlotsSchema.optional().describe('Slots for tasks. Absent without a worker or tasks.'),
  })
  .meta({ id: 'AdminCredential' });

/** @param slots of all accounts for tasks, by account name */
export function showPool(
  credentials: Pick<Credentials, 'poolOf'>,
  upstream: string,
  slots: TaskStats['slots'],
): z.output<typeof CredentialStateSchema>[] {
  return (credentials.poolOf(upstream) ?? []).map((one) => show(one, slots[one.account]));
}

function show(one: Credential, slots: TaskStats['slots'][string] | undefined): z.output<typeof CredentialStateSchema> {
  const { rest, budget } = one;
  const limits: Partial<Record<LimitName, z.output<typeof LimitSchema>>> = {};
  for (const [name, { limit, held }] of one.shares) limits[name] = { limit, held };
  return {
    name: one.name ?? '',
    weight: one.weight,
    state: stateOf(rest),
    ...(rest && { reason: rest.reason }),
    ...(rest && Number.isFinite(rest.ms) && { rest_ms: Math.ceil(rest.ms) }),
    in_flight: one.inFlight + one.inFlightElsewhere,
    limits,
    ...(budget && {
      budget: {
        usd: budget.nanos / NANOS_PER_USD,
        spent_usd: (one.spentNanos + one.unsentNanos) / NANOS_PER_USD,
        period: budget.period,
      },
    }),
    ...(slots && { tasks: showTaskSlots(slots) }),
  };
}

function stateOf(rest: Credential['rest']): z.output<typeof CredentialStateSchema>['state'] {
  if (!rest) return 'ready';
  return rest.reason === 'rejected' ? 'rejected' : 'resting';
}

export function showTaskSlots({ inFlight, submitting, pausedMs }: TaskStats['slots'][string]) {
  return { in_flight: inFlight, submitting, ...(pausedMs !== undefined && { paused_ms: pausedMs }) };
}
