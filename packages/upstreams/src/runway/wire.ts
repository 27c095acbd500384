import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

export const WireTask = lenient({
  id: Id,
  status: Text,
  /** A number from 0 to 1 while the task runs. */
  progress: Numeric,
  output: list(Text),
  failureCode: Text,
});

/** `error` is a sentence, and `issues` lists the errors of fields: `{error, issues: [{path, message}]}`. */
export const WireRefusal = lenient({
  error: Text,
  issues: list(lenient({ message: Text, path: list(Text) })),
});
