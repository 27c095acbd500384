import type { z } from 'zod';
import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

/** `{error: {code, message, param, type}}`, and the same inside a failed task. */
const WireError = lenient({ code: Text, message: Text });

/** A task, from a poll or the list. */
export const WireTask = lenient({
  id: Id,
  model: Text,
  status: Text,
  content: lenient({ video_url: Text }),
  error: WireError,
  /** Unix seconds. */
  created_at: Numeric,
  duration: Numeric,
  seed: Numeric,
  execution_expires_after: Numeric,
});

/** The list; `total` counts the tasks of all pages. */
export const WireList = lenient({ items: list(WireTask), total: Numeric });

export const WireRefusal = lenient({ error: WireError });

/** An Ark error, not sanitized. */
export type ArkError = z.output<typeof WireError>;
