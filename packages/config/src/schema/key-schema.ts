import { z } from 'zod';
import { flag, secretText } from './field-types.ts';
import { KeyBudgetSchema, KeyLimitsSchema } from './key-limits-schema.ts';

export const KeySettingsSchema = z.strictObject({
  models: z
    .array(z.string().min(1))
    .optional()
    .describe('Models that the key may use; `*` matches any characters. Absent: all.'),
  strict: flag().describe('Enables `strict` for all requests with this key.'),
  vendor_references: flag().describe(
    'Whether requests may reference files, caches, and conversations stored at a vendor.',
  ),
  limits: KeyLimitsSchema.optional(),
  budget: KeyBudgetSchema.optional(),
});

export type KeySettings = z.output<typeof KeySettingsSchema>;

export const KeySchema = z.strictObject({
  name: z.string().min(1).describe('Name of the key; tasks made with it belong to this name.'),
  key: secretText(8).describe('The secret that clients send.'),
  ...KeySettingsSchema.shape,
});
