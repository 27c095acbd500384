import { z } from 'zod';

/** Query of a session. Other parameters are not forwarded. */
export const RealtimeQuerySchema = z.object({
  model: z.string().min(1).optional().meta({ description: 'Absent: `defaults.realtime_model`.' }),
  intent: z.string().optional().meta({ description: '`transcription` for a session that only transcribes.' }),
  call_id: z
    .string()
    .optional()
    .meta({ description: 'A call at the vendor to join; for keys with `vendor_references`.' }),
  'api-version': z.string().optional().meta({ description: 'Passed on to vendors that require it, such as Azure.' }),
});
