import type { z } from 'zod';
import { Id, lenient, list, Numeric, Text } from '../media/lenient.ts';

const WireError = lenient({ code: Text, message: Text });

export const WireTask = lenient({
  id: Id,
  model: Text,
  status: Text,
  content: lenient({ video_url: Text }),
  error: WireError,
  /** In Unix seconds. */
  created_at: Numeric,
  duration: Numeric,
  seed: Numeric,
  execution_expires_after: Numeric,
});

export const WireList = lenient({ items: list(WireTask), total: Numeric });

export const WireRefusal = lenient({ error: WireError });

export type ArkError = z.output<typeof WireError>;
