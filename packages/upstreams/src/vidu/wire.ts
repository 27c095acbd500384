import { Flag, Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

export const WireSubmitted = lenient({ task_id: Id });

/** `{code, reason, message, metadata}`. The HTTP status has the same meaning. */
export const WireRefusal = lenient({ reason: Text, message: Text });

const Creation = lenient({
  url: Text,
  watermarked_url: Text,
  video: lenient({ resolution: lenient({ width: Numeric, height: Numeric }) }),
});

export const WireTask = lenient({ state: Text, err_code: Text, off_peak: Flag, creations: list(Creation) });

export const WireList = lenient({
  tasks: list(lenient({ id: Id, payload: Text, created_at: Text })),
  next_page_token: Text,
});
