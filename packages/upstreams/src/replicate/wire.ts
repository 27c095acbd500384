import { z } from 'zod';
import { Flag, Id, lenient, Text } from '../media/lenient.ts';

/** A prediction, as it is made, asked for and canceled. */
export const WirePrediction = lenient({
  id: Id,
  status: Text,
  /** Whatever the model gives: a URL, a list of them, an object that holds some. */
  output: z.unknown().optional(),
  error: Text,
  logs: Text,
  /** Input and output have been deleted. */
  data_removed: Flag,
});

/** `{title, detail, status}` (RFC 7807); throttling tells `detail` alone. */
export const WireRefusal = lenient({ title: Text, detail: Text });
