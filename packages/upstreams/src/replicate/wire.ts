import { z } from 'zod';
import { Flag, Id, lenient, Text } from '../media/lenient.ts';

export const WirePrediction = lenient({
  id: Id,
  status: Text,
  /** Depends on the model: a URL, a list, or an object that contains URLs. */
  output: z.unknown().optional(),
  error: Text,
  logs: Text,
  data_removed: Flag,
});

/** `{title, detail, status}` (RFC 7807). Throttling responses contain only `detail`. */
export const WireRefusal = lenient({ title: Text, detail: Text });
