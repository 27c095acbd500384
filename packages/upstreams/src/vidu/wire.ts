import { Flag, Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** The answer to a submission. */
export const WireSubmitted = lenient({ task_id: Id });

/** `{code, reason, message, metadata}` with a status of HTTP that says the same. */
export const WireRefusal = lenient({ reason: Text, message: Text });

const Creation = lenient({
  url: Text,
  /** The same film with the mark that was asked for. */
  watermarked_url: Text,
  video: lenient({ resolution: lenient({ width: Numeric, height: Numeric }) }),
});

/** A task with what it has made. */
export const WireTask = lenient({ state: Text, err_code: Text, off_peak: Flag, creations: list(Creation) });

/** The list of tasks. */
export const WireList = lenient({
  tasks: list(lenient({ id: Id, payload: Text, created_at: Text })),
  next_page_token: Text,
});
