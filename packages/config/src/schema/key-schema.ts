import { z } from 'zod';
import { flag, secretText } from './field-types.ts';
import { KeyBudgetSchema, KeyLimitsSchema } from './key-limits-schema.ts';
import { LabelsSchema } from './labels-schema.ts';

export const KeySettingsSchema = z.strictObject({
  models: z
    .array(z.string().min(1))
    .optional()
    .describe('Models that the key can use. `*` matches any characters. If omitted, the key can use all models.'),
  strict: flag().describe('Refuses all requests with this key that would lose a field, with 400.'),
  vendor_references: flag().describe(
    'Whether requests can refer to files, caches, and conversations that a vendor stores.',
  ),
  limits: KeyLimitsSchema.optional(),
  budget: KeyBudgetSchema.optional(),
  labels: LabelsSchema.optional().describe(
    "Labels of the key's requests and tasks in the usage ledger, as `name: value`. A request can add labels and replace them with the header `x-sluice-labels`.",
  ),
});

export type KeySettings = z.output<typeof KeySettingsSchema>;

export const KeySchema = z.strictObject({
  name: z.string().min(1).describe("The name of the key. The key's tasks belong to this name."),
  key: secretText(8).describe('The secret that clients send.'),
  ...KeySettingsSchema.shape,
});
