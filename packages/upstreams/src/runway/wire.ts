import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

export const WireTask = lenient({
  id: Id,
  status: Text,
  /** 0 to 1, while running. */
  progress: Numeric,
  output: list(Text),
  failureCode: Text,
});

/** `{error, issues: [{path, message}]}`: a sentence and the field errors. */
export const WireRefusal = lenient({
  error: Text,
  issues: list(lenient({ message: Text, path: list(Text) })),
});
