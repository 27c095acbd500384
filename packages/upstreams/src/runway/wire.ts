import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** A task, as it is made and as it is asked for. */
export const WireTask = lenient({
  id: Id,
  status: Text,
  /** 0 to 1, while it runs. */
  progress: Numeric,
  output: list(Text),
  failureCode: Text,
});

/** `{error, issues: [{path, message}]}`: a sentence, and what is wrong with each field. */
export const WireRefusal = lenient({
  error: Text,
  issues: list(lenient({ message: Text, path: list(Text) })),
});
