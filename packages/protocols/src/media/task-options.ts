import type { MediaTask } from '@sluice/canonical';
import { z } from 'zod';
import { withoutBlanks } from '../forms/form-fields.ts';
import { isRecord } from '../json/is-record.ts';
import { parseInput } from '../json/parse-input.ts';
import { boundedText, integer } from './fields.ts';

const MAX_LABELS = 16;
const MAX_VALUE = 512;
const MAX_USER = 512;
const MAX_PRIORITY = 100;
const badKey = 'must have keys of 1 to 64 letters, digits, and _ . / -, of which the first is a letter or digit';

const badLabels = 'must be an object. In a query or form, send labels[name]=value';

export const LabelsSchema = z
  .record(z.string().regex(/^[A-Za-z0-9][\w./-]{0,63}$/, { error: badKey }), boundedText(MAX_VALUE), {
    error: ({ code }) => (code === 'invalid_key' ? badKey : badLabels),
  })
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, { error: `must have at most ${MAX_LABELS} labels` });

export const UserSchema = boundedText(MAX_USER);

export const PrioritySchema = integer(-MAX_PRIORITY, MAX_PRIORITY);

/**
 * Documents a field. {@link decodeTaskOptions} validates it first, and leaves only values that are options of a vendor.
 */
function optionOf(schema: z.ZodType, description: string, example?: unknown) {
  const { $schema: _version, ...override } = z.toJSONSchema(schema, { io: 'input' });
  return z
    .unknown()
    .optional()
    .meta({ override: { ...override, description, ...(example !== undefined && { example }) } });
}

/** Fields of every request that creates a task. */
export const TASK_OPTION_FIELDS = {
  user: optionOf(UserSchema, 'Your own user for whom the task is. Lists can filter by it.'),
  labels: optionOf(LabelsSchema, `Up to ${MAX_LABELS} labels of your own. Lists can filter by them.`, {
    project: 'kites',
  }),
  priority: optionOf(
    PrioritySchema,
    "A task with a higher number is submitted before the key's other waiting tasks. Default: 0.",
  ),
};

const TaskOptionsSchema = z.object({
  user: UserSchema.optional(),
  labels: LabelsSchema.optional(),
  priority: PrioritySchema.optional(),
});

export type TaskOptions = Pick<MediaTask, 'user' | 'labels' | 'priority'>;

/**
 * Reads {@link TASK_OPTION_FIELDS} of a body or form, and removes `labels` and `priority`. A form can send the labels as
 * JSON text. A value of another type stays, because vendors have options with these names.
 * @throws GatewayError `invalid_request`
 */
export function decodeTaskOptions(fields: unknown): { fields: unknown; options: TaskOptions } {
  if (!isRecord(fields)) return { fields, options: {} };
  const { user, labels: sent, priority, ...rest } = fields;
  const labels = asLabels(sent);
  const isOwnPriority = isInteger(priority);
  const own = { user: UserSchema.safeParse(user).data, labels, priority: isOwnPriority ? priority : undefined };
  const present = withoutBlanks(own);
  return {
    fields: {
      ...rest,
      ...(user !== undefined && { user }),
      ...(sent !== undefined && !labels && { labels: sent }),
      ...(priority !== undefined && !isOwnPriority && { priority }),
    },
    options: withoutDefaults(parseInput(TaskOptionsSchema, present)),
  };
}

/** @returns undefined for an option of a vendor */
function asLabels(value: unknown): Record<string, unknown> | undefined {
  const labels = typeof value === 'string' ? parseObject(value) : value;
  return isRecord(labels) && Object.values(labels).every((label) => typeof label === 'string') ? labels : undefined;
}

function parseObject(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a value of a body, or the text of a form, is an integer. */
function isInteger(value: unknown): boolean {
  return typeof value === 'string' ? /^[+-]?\d+$/.test(value.trim()) : Number.isInteger(value);
}

function withoutDefaults({ user, labels, priority }: z.output<typeof TaskOptionsSchema>): TaskOptions {
  return {
    ...(user !== undefined && { user }),
    ...(labels && Object.keys(labels).length > 0 && { labels }),
    ...(priority !== undefined && priority !== 0 && { priority }),
  };
}

/** Whether a field of a body is not an option for the upstream. */
export function isKnownField(schema: z.ZodObject, name: string): boolean {
  return !Object.hasOwn(TASK_OPTION_FIELDS, name) && Object.hasOwn(schema.shape, name);
}

/** Fields of a task, in addition to the fields of the vendors' protocols. Each is absent unless it is set. */
export const SHOWN_OPTIONS = {
  user: z.string().optional(),
  labels: z.record(z.string(), z.string()).optional(),
  priority: z.int().optional(),
  paused: z.literal(true).optional(),
};

export function optionsOf({ user, labels, priority, paused }: MediaTask): z.output<z.ZodObject<typeof SHOWN_OPTIONS>> {
  return {
    ...(user !== undefined && { user }),
    ...(labels && { labels }),
    ...(priority !== undefined && { priority }),
    ...(paused && { paused }),
  };
}
