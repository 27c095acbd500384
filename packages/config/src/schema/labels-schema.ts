import { z } from 'zod';

export const MAX_LABELS = 8;

/** The format of a label's name, for users. */
export const LABEL_NAME_RULE = 'at most 64 letters, digits, `.`, `_`, and `-`, and begin with a letter or a digit';
/** The format of a label's value, for users. */
export const LABEL_VALUE_RULE = '1 to 128 printable ASCII characters without commas or spaces at its ends';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;
const VALUE = /^(?! )[\x20-\x2b\x2d-\x7e]{1,128}(?<! )$/;

export function isLabelName(text: string): boolean {
  return NAME.test(text);
}

export function isLabelValue(text: string): boolean {
  return VALUE.test(text);
}

/** Labels of a key's requests in the usage ledger. */
export const LabelsSchema = z
  .record(z.string().regex(NAME, `must be ${LABEL_NAME_RULE}`), z.string().regex(VALUE, `must be ${LABEL_VALUE_RULE}`))
  .refine((labels) => Object.keys(labels).length <= MAX_LABELS, `must have at most ${MAX_LABELS} labels`);
